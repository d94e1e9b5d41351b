import { z } from 'zod'
import { RequestedDateTime, Uuid } from '../schema/identifier.ts'
import { PageQuery } from '../schema/page.ts'
import { refusals } from '../schema/problem.ts'
import { Submission } from '../schema/submission.ts'
import { SubmissionEventPage } from '../schema/webhook-event.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { apiKeyRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.3; `listEvents` is additive. */
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

    listEvents: {
      method: 'GET',
      path: '/api/events',
      summary: 'List the submissions that ended since a moment',
      description:
        'Oldest first, each as the event that a webhook gets, also of those that were answered at once. For trying ' +
        'out a receiver where no webhook can reach it. Submissions that were accepted in the day before the moment ' +
        'or later are looked at. Ends may show up some seconds late, out of order: ask again from a little before ' +
        'the last one, and leave out what is known by its `submissionId`.',
      metadata: {
        auth: 'api-key',
        scopes: ['read'],
        rateLimit: 'read',
        responseHeaders: { 200: ['X-Total-Count', 'Link'] },
      } as const satisfies EndpointMetadata,
      query: PageQuery.extend({
        after: RequestedDateTime.meta({ description: 'The moment from which on.' }),
      }),
      responses: { 200: SubmissionEventPage, ...refusals(...apiKeyRefusals, 'VALIDATION_ERROR') },
    },
  },
  strict,
)
