import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type {
  DeliveryAttempt,
  WebhookDelivery,
  WebhookEventName,
} from '@pdfnorm/contracts/schema/webhook-event'

/** What happened, on its way to one receiver. Its id is the `webhook-id` of every attempt. */
export const WebhookEventEntity = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Stands in the payload: a configured webhook's, or the stable one of an address (announce-event.ts). */
    webhookId: p.uuid(),
    /** Whether `webhookId` is a configured webhook's, which may be gone by now. */
    configured: p.boolean(),
    /** Where it is sent, or was sent last. */
    url: p.text(),
    event: p.text().$type<WebhookEventName>(),
    /** The body, made once: every attempt sends, and signs, the same bytes. */
    payload: p.text(),
    status: p.text().$type<WebhookDelivery['status']>(),
    /** A member asked for it, by a test or a replay: it is sent also while the webhook is not active. */
    askedFor: p.boolean(),
    /** Sends of the current sequence: those before a replay do not count. */
    sends: p.integer(),
    attempts: p.json<DeliveryAttempt[]>(),
    createdAt: p.datetime(3),
    nextAttemptAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
  },
})
export type WebhookEvent = InferEntity<typeof WebhookEventEntity>

/**
 * Nobody asked for what waits for the webhook any more, in a transaction that holds the webhook: once it is not active,
 * only what is asked for from then on is sent to it.
 */
export async function forgetRequests(em: EntityManager, webhookId: string): Promise<void> {
  await em.nativeUpdate(
    WebhookEventEntity,
    { webhookId, status: 'pending', askedFor: true },
    { askedFor: false },
  )
}
