import type { EntityManager } from '@mikro-orm/postgresql'
import type { CallingOrganization } from '../caller.ts'
import type { Platform } from '../platform.ts'
import type { WebhookEvent } from './webhook-event.ts'

type QueuedEvent = Pick<WebhookEvent, 'id' | 'organizationId' | 'webhookId' | 'configured'>

/** Addresses of requests and batches share so many lanes in each organization; a webhook has one of its own. */
const sharedLanes = 4

/**
 * Sends the jobs of the next attempts of events in the transaction of `em`.
 *
 * Receivers wait for themselves: each one is a group of the queue, of which only a few jobs run at once
 * (job/queues.ts). One that left an attempt without success gets a queue with workers of its own, where it holds up
 * nobody but others like it.
 */
export async function enqueueDeliveries(
  { queue }: Pick<Platform, 'queue'>,
  em: EntityManager,
  { schemaName, planTier }: Pick<CallingOrganization, 'schemaName' | 'planTier'>,
  events: readonly QueuedEvent[],
  startAfterSeconds = 0,
): Promise<void> {
  const troubled = await troubledReceivers(em, events)
  for (const event of events) {
    const name = troubled.has(event.webhookId) ? 'deliver-to-troubled-webhook' : 'deliver-webhook'
    const payload = { organizationId: event.organizationId, eventId: event.id }
    const group = { schemaName: `${schemaName}/${laneOf(event)}`, planTier }
    await queue.send(em, name, payload, group, { startAfterSeconds })
  }
}

/** The receivers to which an event waits to be sent again; the events are of one organization. */
async function troubledReceivers(
  em: EntityManager,
  events: readonly QueuedEvent[],
): Promise<Set<string>> {
  const [first] = events
  if (first === undefined) return new Set()
  const receivers = events.map(({ webhookId }) => webhookId)
  const waiting = await em.execute<{ webhookId: string }[]>(
    `select receiver.id as "webhookId" from (values ${receivers.map(() => '(?::uuid)').join(', ')}) as receiver (id)
     where exists (select from webhook_event
       where organization_id = ? and webhook_id = receiver.id and status = 'pending' and sends > 0)`,
    [...receivers, first.organizationId],
  )
  return new Set(waiting.map(({ webhookId }) => webhookId))
}

/** An organization has ten webhooks at most, but as many addresses as it likes. */
function laneOf({ webhookId, configured }: Pick<WebhookEvent, 'webhookId' | 'configured'>): string {
  return configured
    ? webhookId
    : `address-${Number.parseInt(webhookId.slice(-4), 16) % sharedLanes}`
}
