import type { EntityManager } from '@mikro-orm/postgresql'
import type { CallingOrganization } from '../caller.ts'
import type { Platform } from '../platform.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** Addresses of requests and batches share so many lanes in each organization; a webhook has one of its own. */
const sharedLanes = 4

/**
 * Sends the job of an event's next attempt in the transaction of `em`.
 *
 * Receivers wait for themselves: each one is a group of the queue, of which only a few jobs run at once
 * (job/queues.ts). One that left an attempt unanswered gets a queue with workers of its own, where it holds up nobody
 * but others like it.
 */
export async function enqueueDelivery(
  { queue }: Pick<Platform, 'queue'>,
  em: EntityManager,
  { schemaName, planTier }: Pick<CallingOrganization, 'schemaName' | 'planTier'>,
  event: Pick<WebhookEvent, 'id' | 'organizationId' | 'webhookId' | 'configured'>,
  startAfterSeconds = 0,
): Promise<void> {
  const name = (await isTroubled(em, event)) ? 'deliver-to-troubled-webhook' : 'deliver-webhook'
  const payload = { organizationId: event.organizationId, eventId: event.id }
  const group = { schemaName: `${schemaName}/${laneOf(event)}`, planTier }
  await queue.send(em, name, payload, group, { startAfterSeconds })
}

/** Whether the receiver has left an attempt without success, and an event waits to be sent to it again. */
async function isTroubled(
  em: EntityManager,
  { webhookId }: Pick<WebhookEvent, 'webhookId'>,
): Promise<boolean> {
  const retried = { webhookId, status: 'pending', sends: { $gt: 0 } } as const
  return (await em.findOne(WebhookEventEntity, retried, { fields: ['id'] })) !== null
}

/** An organization has ten webhooks at most, but as many addresses as it likes. */
function laneOf({ webhookId, configured }: Pick<WebhookEvent, 'webhookId' | 'configured'>): string {
  return configured
    ? webhookId
    : `address-${Number.parseInt(webhookId.slice(-4), 16) % sharedLanes}`
}
