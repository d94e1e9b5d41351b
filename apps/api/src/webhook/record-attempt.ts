import type { EntityManager } from '@mikro-orm/postgresql'
import type { DeliveryAttempt } from '@pdfnorm/contracts/schema/webhook-event'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { deactivateFailing } from './deactivate-failing.ts'
import { enqueueDelivery } from './delivery-queue.ts'
import { attemptsWith } from './end-event.ts'
import { retryDelayMs } from './retry-delay.ts'
import { lockWebhook, WebhookEntity } from './webhook.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** An attempt that was made. */
export interface MadeAttempt {
  /** As it was before. */
  readonly event: WebhookEvent
  readonly url: string
  readonly attempt: DeliveryAttempt
  /** Seconds that the receiver asked to be left alone; null: it did not. */
  readonly wait: number | null
}

type RecordingPlatform = Pick<Platform, 'clock' | 'config' | 'queue'>

/** `lost`: another worker has written down an attempt meanwhile, and goes on with the event. */
export type AttemptOutcome = 'delivered' | 'retried' | 'dead' | 'lost'

/** Writes down what came of an attempt and does what follows from it, in one transaction. */
export async function recordAttempt(
  platform: RecordingPlatform,
  em: EntityManager,
  made: MadeAttempt,
): Promise<AttemptOutcome> {
  // In this order everywhere: the webhook, then its events.
  if (made.event.configured) await lockWebhook(em, made.event.webhookId)
  return made.attempt.error === null
    ? recordDelivery(platform, em, made)
    : recordFailure(platform, em, made)
}

async function recordDelivery(
  { clock }: RecordingPlatform,
  em: EntityManager,
  { event, url, attempt }: MadeAttempt,
): Promise<AttemptOutcome> {
  const now = clock.now()
  // Whatever another worker found meanwhile: the receiver has it.
  const changed = await em.nativeUpdate(
    WebhookEventEntity,
    { id: event.id, status: 'pending' },
    {
      url,
      status: 'delivered',
      attempts: attemptsWith(event, attempt),
      sends: event.sends + 1,
      nextAttemptAt: null,
      endedAt: now,
    },
  )
  if (event.configured) {
    await em.nativeUpdate(
      WebhookEntity,
      { id: event.webhookId },
      { lastDeliveryAt: now, failingSince: null },
    )
  }
  return changed === 0 ? 'lost' : 'delivered'
}

async function recordFailure(
  platform: RecordingPlatform,
  em: EntityManager,
  { event, url, attempt, wait }: MadeAttempt,
): Promise<AttemptOutcome> {
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
    const organization = await em.findOneOrFail(OrganizationEntity, { id: event.organizationId })
    await enqueueDelivery(platform, em, organization, event, delayMs / 1000)
  }
  if (event.configured) {
    const { organizationId, webhookId } = event
    const failure = { organizationId, webhookId, gone, failedAt: new Date(attempt.at) }
    await deactivateFailing(platform, em, failure)
  }
  return delayMs === null ? 'dead' : 'retried'
}
