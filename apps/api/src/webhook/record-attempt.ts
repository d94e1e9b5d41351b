import type { EntityManager } from '@mikro-orm/postgresql'
import type { DeliveryAttempt } from '@pdfnorm/contracts/schema/webhook-event'
import { changeInOrganization, withOrganization } from '../database/transaction.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { deactivateFailing } from './deactivate-failing.ts'
import { enqueueDeliveries } from './delivery-queue.ts'
import { attemptsWith } from './end-event.ts'
import type { DeliveredEvent } from './prepare-delivery.ts'
import { retryDelayMs } from './retry-delay.ts'
import { lockWebhook } from './webhook.ts'
import { WebhookEventEntity } from './webhook-event.ts'

/** An attempt that was made. */
export interface MadeAttempt {
  /** As it was before. */
  readonly event: DeliveredEvent
  readonly url: string
  readonly attempt: DeliveryAttempt
  /** Seconds that the receiver asked to be left alone; null: it did not. */
  readonly wait: number | null
}

type RecordingPlatform = Pick<Platform, 'orm' | 'clock' | 'config' | 'queue'>

/** `lost`: another worker has written down an attempt meanwhile, and goes on with the event. */
export type AttemptOutcome = 'delivered' | 'retried' | 'dead' | 'lost'

/**
 * Writes down what came of an attempt and does what follows from it, in one transaction. A webhook is locked before
 * its events, here as everywhere.
 */
export async function recordAttempt(
  platform: RecordingPlatform,
  organizationId: string,
  made: MadeAttempt,
): Promise<AttemptOutcome> {
  if (made.attempt.error === null) return recordDelivery(platform, organizationId, made)
  return withOrganization(platform.orm, organizationId, (em) => recordFailure(platform, em, made))
}

/** Whatever another worker found meanwhile: the receiver has the event. */
async function recordDelivery(
  { orm, clock }: RecordingPlatform,
  organizationId: string,
  { event, url, attempt }: MadeAttempt,
): Promise<AttemptOutcome> {
  const now = clock.now()
  const changed = await changeInOrganization<{ id: string }>(orm, organizationId, {
    // The sub-select is what makes the webhook come first.
    sql: `
      with hook as (
        update webhook set last_delivery_at = ?, failing_since = null
        where organization_id = ? and id = ? and ? returning id)
      update webhook_event
      set status = 'delivered', url = ?, attempts = ?, sends = ?, next_attempt_at = null, ended_at = ?
      where organization_id = ? and id = ? and status = 'pending' and (select count(*) from hook) >= 0
      returning id`,
    parameters: [
      now,
      organizationId,
      event.webhookId,
      event.configured,
      url,
      JSON.stringify(attemptsWith(event, attempt)),
      event.sends + 1,
      now,
      organizationId,
      event.id,
    ],
  })
  return changed.length === 0 ? 'lost' : 'delivered'
}

async function recordFailure(
  platform: RecordingPlatform,
  em: EntityManager,
  { event, url, attempt, wait }: MadeAttempt,
): Promise<AttemptOutcome> {
  const { organizationId, webhookId } = event
  if (event.configured) await lockWebhook(em, { organizationId, id: webhookId })
  const now = platform.clock.now()
  const gone = attempt.statusCode === 410
  const delayMs = gone ? null : retryDelayMs(platform.config, event.sends, wait)
  const changed = await em.nativeUpdate(
    WebhookEventEntity,
    { id: event.id, status: 'pending', sends: event.sends },
    {
      url,
      attempts: attemptsWith(event, attempt),
      sends: event.sends + 1,
      ...(delayMs === null
        ? { status: 'dead', nextAttemptAt: null, endedAt: now }
        : { nextAttemptAt: new Date(now.getTime() + delayMs) }),
    },
  )
  if (changed === 0) return 'lost'

  if (delayMs !== null) {
    const organization = await em.findOneOrFail(OrganizationEntity, { id: organizationId })
    await enqueueDeliveries(platform, em, organization, [event], delayMs / 1000)
  }
  if (event.configured) {
    const failure = { organizationId, webhookId, gone, failedAt: new Date(attempt.at) }
    await deactivateFailing(platform, em, failure)
  }
  return delayMs === null ? 'dead' : 'retried'
}
