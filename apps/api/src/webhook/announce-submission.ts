import type { EntityManager } from '@mikro-orm/postgresql'
import type { Submission } from '@pdfnorm/contracts/schema/submission'
import type { SubmissionEventName } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { SubmissionEvent } from '@pdfnorm/contracts/schema/webhook-event'
import { announceEvent, type AnnouncingPlatform, type EventTarget } from './announce-event.ts'

/** A submission that has ended in the transaction, and who hears of it. */
export interface EndedSubmission {
  readonly organizationId: string
  /** Whether its caller was answered before it ended. */
  readonly asynchronous: boolean
  readonly webhookUrl: string | null
  /** As GET /api/submissions/{id} shows it from then on. */
  readonly record: Submission
}

/**
 * Announces the end of a submission in the transaction that ends it: to the configured webhooks when it was
 * asynchronous, to the address of its request always (decision 4.3).
 */
export async function announceSubmission(
  em: EntityManager,
  platform: AnnouncingPlatform,
  { organizationId, asynchronous, webhookUrl, record }: EndedSubmission,
): Promise<void> {
  const targets: EventTarget[] = [
    ...(asynchronous ? ['configured' as const] : []),
    ...(webhookUrl === null ? [] : [{ url: webhookUrl }]),
  ]
  const { apiVersion } = record
  const end = endOfSubmission(record)
  for (const target of targets) {
    await announceEvent(em, platform, { organizationId, target, ...end, apiVersion })
  }
}

/** What is told of a submission that has ended. */
export function endOfSubmission(record: Submission): Pick<SubmissionEvent, 'event' | 'data'> {
  const { apiVersion: _, createdAt: __, completedAt: ___, ...data } = record
  const event = events[record.status]
  if (event === undefined) throw new Error('A submission was announced before its end')
  return { event, data }
}

/** The event of each status that a submission may end with. */
const events: Partial<Record<Submission['status'], SubmissionEventName>> = {
  SUCCESS: 'normalization.success',
  FAILED: 'normalization.failure',
  REJECTED: 'normalization.rejected',
}
