import type { SubmissionEvent } from '@pdfnorm/contracts/schema/webhook-event'
import { v5 as uuidv5 } from 'uuid'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { endOfSubmission } from '../webhook/announce-submission.ts'
import { submissionRecord } from './find-submission.ts'
import { SubmissionEntity } from './submission.ts'

/** The index of submissions is by the time at which they were accepted. */
const acceptedWithinMs = 24 * 60 * 60 * 1000

export interface EndedSince {
  /** ISO 8601. */
  readonly after: string
  readonly page: number
  readonly page_size: number
}

/**
 * GET /api/events: the ends of the organization's submissions from a moment on, oldest first, as webhooks get them.
 *
 * @returns `total`: those of all pages
 */
export async function listEndedSubmissions(
  { orm, config }: Pick<Platform, 'orm' | 'config'>,
  organization: Pick<CallingOrganization, 'id'>,
  { after, page, page_size: pageSize }: EndedSince,
): Promise<{ events: SubmissionEvent[]; total: number }> {
  // Nothing ended before 1970, and the database has no year 0.
  const from = new Date(Math.max(0, Date.parse(after)))
  const acceptedFrom = new Date(Math.max(0, from.getTime() - acceptedWithinMs))
  const [ended, total] = await withOrganization(orm, organization.id, (em) =>
    em.findAndCount(
      SubmissionEntity,
      {
        organizationId: organization.id,
        createdAt: { $gte: acceptedFrom },
        completedAt: { $gte: from },
      },
      {
        orderBy: { completedAt: 'asc', id: 'asc' },
        limit: pageSize,
        offset: (page - 1) * pageSize,
      },
    ),
  )
  const webhookId = uuidv5('/api/events', organization.id)
  const events = ended.map((submission) => ({
    ...endOfSubmission(submissionRecord(submission, config.baseUrl)),
    webhookId,
    timestamp: (submission.completedAt ?? from).toISOString(),
    apiVersion: submission.apiVersion,
  }))
  return { events, total }
}
