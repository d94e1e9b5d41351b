import { z } from 'zod'
import { artifactContentType } from '../schema/artifact.ts'
import { Sha256Param } from '../schema/identifier.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { apiKeyRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

const pdf = rest.otherResponse({ contentType: artifactContentType, body: rest.type<unknown>() })

/** Interface, section 4.3; decision 1.11. */
export const artifacts = rest.router(
  {
    downloadArtifact: {
      method: 'GET',
      path: '/api/artifacts/:hash',
      summary: 'Download a normalized file',
      description:
        'The file with this SHA-256. It never changes: its ETag is its hash, and parts of it can be asked for.',
      metadata: {
        auth: 'api-key',
        scopes: ['read'],
        rateLimit: 'read',
        faults: { 'path.hash': 'INVALID_SHA256' },
        responseHeaders: {
          200: [
            'Content-Length',
            'Content-Disposition',
            'X-Content-Hash',
            'Repr-Digest',
            'ETag',
            'Accept-Ranges',
            'Cache-Control',
          ],
          206: [
            'Content-Length',
            'Content-Range',
            'Content-Disposition',
            'X-Content-Hash',
            'Repr-Digest',
            'ETag',
            'Accept-Ranges',
            'Cache-Control',
          ],
          304: ['ETag', 'Cache-Control'],
        },
      } as const satisfies EndpointMetadata,
      headers: {
        range: z
          .string()
          .optional()
          .meta({
            description: 'One range of bytes (RFC 9110, 14.2).',
            examples: ['bytes=0-1023'],
          }),
        'if-range': z
          .string()
          .optional()
          .meta({ description: 'The ETag that the range belongs to.' }),
        'if-match': z
          .string()
          .optional()
          .meta({ description: 'ETags of which one has to be that of the file: else 412.' }),
        'if-none-match': z
          .string()
          .optional()
          .meta({ description: 'The ETag of a copy that is at hand: 304 if it is this file.' }),
      },
      pathParams: z.object({ hash: Sha256Param.meta({ description: 'SHA-256 of the file.' }) }),
      responses: {
        200: pdf,
        206: pdf,
        304: rest.noBody(),
        ...refusals(
          ...apiKeyRefusals,
          'INVALID_SHA256',
          'FORBIDDEN_RESOURCE',
          'NOT_FOUND',
          'EXPIRED',
          'PRECONDITION_FAILED',
          'RANGE_NOT_SATISFIABLE',
        ),
      },
    },
  },
  strict,
)
