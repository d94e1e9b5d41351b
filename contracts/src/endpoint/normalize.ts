import { artifactContentType } from '../schema/artifact.ts'
import { IdempotencyKey, NormalizeRequest, uploadField } from '../schema/normalize-request.ts'
import { NormalizeResponse } from '../schema/normalize-response.ts'
import { normalizedExample, pendingExample } from '../schema/normalize-response-examples.ts'
import { refusals } from '../schema/problem.ts'
import { z } from 'zod'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { apiKeyRefusals, bodyRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.2; decisions, section 2. */
export const normalize = rest.router(
  {
    normalizePdf: {
      method: 'POST',
      path: '/api/normalize',
      contentType: 'multipart/form-data',
      summary: 'Normalize a PDF',
      description:
        'Small documents are normalized at once: 200, with a terminal status. Others are accepted: 202, and ' +
        'the submission is polled or announced by webhook. A document that policy refuses, or that cannot be ' +
        'normalized, is not an error of the request: 200, `status` REJECTED or FAILED, and `failure` says why. ' +
        'One document of the quota is used only by SUCCESS.',
      metadata: {
        auth: 'api-key',
        scopes: ['normalize'],
        rateLimit: 'normalize',
        upload: { field: uploadField, contentType: artifactContentType },
        faults: { 'body.region': 'INVALID_REGION' },
        responseHeaders: {
          200: ['Idempotent-Replayed', 'Preference-Applied'],
          202: ['Location', 'Retry-After', 'Idempotent-Replayed', 'Preference-Applied'],
        },
      } as const satisfies EndpointMetadata,
      headers: {
        'idempotency-key': IdempotencyKey.optional().meta({
          description: 'The same as the form field `idempotency_key`; both and different: 400.',
        }),
        prefer: z
          .string()
          .optional()
          .meta({
            description:
              '`respond-async`: answer 202 at once. `wait=<seconds>`: wait that long for the end (RFC 7240).',
            examples: ['respond-async'],
          }),
      },
      body: NormalizeRequest,
      responses: {
        200: NormalizeResponse.meta({ examples: [normalizedExample] }),
        202: NormalizeResponse.meta({ examples: [pendingExample] }),
        ...refusals(
          ...apiKeyRefusals,
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
  },
  strict,
)
