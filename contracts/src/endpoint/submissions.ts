import { z } from 'zod'
import { Uuid } from '../schema/identifier.ts'
import { refusals } from '../schema/problem.ts'
import { Submission } from '../schema/submission.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { apiKeyRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.3. */
export const submissions = rest.router(
  {
    getSubmission: {
      method: 'GET',
      path: '/api/submissions/:submissionId',
      summary: 'Read a submission',
      description: 'A submission of another organization is not found.',
      metadata: {
        auth: 'api-key',
        scopes: ['normalize', 'read'],
        rateLimit: 'read',
        faults: { 'path.submissionId': 'NOT_FOUND' },
      } as const satisfies EndpointMetadata,
      pathParams: z.object({ submissionId: Uuid }),
      responses: { 200: Submission, ...refusals(...apiKeyRefusals, 'NOT_FOUND') },
    },
  },
  strict,
)
