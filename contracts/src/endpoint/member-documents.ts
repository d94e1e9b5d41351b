import { leastRole } from '../schema/member.ts'
import { NormalizeResponse } from '../schema/normalize-response.ts'
import { normalizedExample, pendingExample } from '../schema/normalize-response-examples.ts'
import { refusals } from '../schema/problem.ts'
import { artifacts } from './artifacts.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { bodyRefusals, memberRefusals } from './endpoint-refusals.ts'
import { normalize } from './normalize.ts'
import { rest, strict } from './rest.ts'

const { normalizePdf } = normalize
const { downloadArtifact } = artifacts

/** What a signed-in member does with documents, without a key (decision record 23). Additive. */
export const memberDocuments = rest.router(
  {
    normalizeAsMember: {
      method: 'POST',
      path: '/api/portal/submissions',
      contentType: 'multipart/form-data',
      summary: 'Normalize a PDF as a member',
      description:
        'The same form, options, quota and answers as `POST /api/normalize`, for somebody who is signed in to the ' +
        'portal and tries a document out. Programs take a key.',
      metadata: {
        auth: 'bearer',
        role: leastRole.normalizeDocuments,
        rateLimit: 'portal',
        upload: normalizePdf.metadata.upload,
        faults: normalizePdf.metadata.faults,
        responseHeaders: normalizePdf.metadata.responseHeaders,
      } as const satisfies EndpointMetadata,
      headers: normalizePdf.headers,
      body: normalizePdf.body,
      responses: {
        200: NormalizeResponse.meta({ examples: [normalizedExample] }),
        202: NormalizeResponse.meta({ examples: [pendingExample] }),
        ...refusals(
          ...memberRefusals,
          ...bodyRefusals,
          'INVALID_FILE',
          'INVALID_REGION',
          'REGION_NOT_ALLOWED',
          'INVALID_BATCH',
          'WEBHOOK_URL_FORBIDDEN',
          'QUOTA_EXCEEDED',
          'ORGANIZATION_INACTIVE',
          'IDEMPOTENCY_KEY_REUSED',
        ),
      },
    },

    downloadAsMember: {
      method: 'GET',
      path: '/api/portal/artifacts/:hash',
      summary: 'Download a normalized file as a member',
      description:
        'The same file, headers and ranges as `GET /api/artifacts/{hash}`, for somebody who is signed in.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readDocuments,
        rateLimit: 'portal',
        faults: downloadArtifact.metadata.faults,
        responseHeaders: downloadArtifact.metadata.responseHeaders,
      } as const satisfies EndpointMetadata,
      headers: downloadArtifact.headers,
      pathParams: downloadArtifact.pathParams,
      responses: {
        200: downloadArtifact.responses[200],
        206: downloadArtifact.responses[206],
        304: downloadArtifact.responses[304],
        ...refusals(
          ...memberRefusals,
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
