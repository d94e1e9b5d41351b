import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { QueuedEvent } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { enqueueDeliveries } from './delivery-queue.ts'
import { keptSince } from './tidy-events.ts'
import { WebhookEntity } from './webhook.ts'
import { WebhookEventEntity } from './webhook-event.ts'

/**
 * POST /api/portal/webhooks/{eventId}/replay: a fresh sequence of sends, with the same bytes and the same
 * `webhook-id`, also to a webhook that is not active. Who asks twice at once starts one sequence.
 */
export async function replayDeadLetter(
  platform: Pick<Platform, 'orm' | 'clock' | 'queue'>,
  caller: MemberCaller,
  eventId: string,
): Promise<QueuedEvent | Refusal<'NOT_FOUND'> | ChangeRefusal> {
  const { orm, clock } = platform
  return changeAsMember(orm, caller, leastRole.replayDeadLetters, async (em, organization) => {
    const now = clock.now()
    const event = await em.findOne(WebhookEventEntity, { id: eventId })
    if (event === null) return noSuchDeadLetter()
    const queued = { eventId: event.id, status: 'queued' } as const
    if (event.status === 'pending' && event.askedFor && event.attempts.length > 0) return queued
    if (event.configured && (await em.count(WebhookEntity, { id: event.webhookId })) === 0) {
      return new Refusal('NOT_FOUND', 'The webhook of this event was deleted.')
    }

    const revived = await em.nativeUpdate(
      WebhookEventEntity,
      { id: event.id, status: 'dead', endedAt: { $gt: keptSince(now) } },
      { status: 'pending', askedFor: true, sends: 0, nextAttemptAt: now, endedAt: null },
    )
    if (revived === 0) return noSuchDeadLetter()
    await enqueueDeliveries(platform, em, organization, [event])
    return queued
  })
}

function noSuchDeadLetter(): Refusal<'NOT_FOUND'> {
  return new Refusal('NOT_FOUND', 'The organization has no such dead letter.')
}
