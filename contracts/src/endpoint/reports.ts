import { z } from 'zod'
import { Sha256Param } from '../schema/identifier.ts'
import { refusals } from '../schema/problem.ts'
import { Report } from '../schema/report.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { apiKeyRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.3. */
export const reports = rest.router(
  {
    getReport: {
      method: 'GET',
      path: '/api/reports/:hash',
      summary: 'Read the report on a normalized file',
      description:
        "What each of the ten stages did. Of several submissions with this output it is the organization's most recent.",
      metadata: {
        auth: 'api-key',
        scopes: ['read'],
        rateLimit: 'read',
        faults: { 'path.hash': 'INVALID_SHA256' },
      } as const satisfies EndpointMetadata,
      pathParams: z.object({ hash: Sha256Param.meta({ description: 'SHA-256 of the output.' }) }),
      responses: {
        200: Report,
        ...refusals(
          ...apiKeyRefusals,
          'INVALID_SHA256',
          'FORBIDDEN_RESOURCE',
          'NOT_FOUND',
          'EXPIRED',
        ),
      },
    },
  },
  strict,
)
