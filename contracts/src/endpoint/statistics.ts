import { leastRole } from '../schema/member.ts'
import { refusals } from '../schema/problem.ts'
import { Statistics } from '../schema/statistics.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { memberRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.12. */
export const statistics = rest.router(
  {
    getStatistics: {
      method: 'GET',
      path: '/api/portal/stats',
      summary: 'Read the statistics',
      description: 'Submissions of all time and of the current billing cycle.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readStatistics,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      responses: { 200: Statistics, ...refusals(...memberRefusals) },
    },
  },
  strict,
)
