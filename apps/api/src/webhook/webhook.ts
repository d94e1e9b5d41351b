import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type {
  SubmissionEventName,
  WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'

/** An address that an organization configured for events. */
export const WebhookEntity = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    url: p.text(),
    events: p.array().columnType('text[]').$type<SubmissionEventName[]>(),
    active: p.boolean(),
    createdAt: p.datetime(3),
    /** When it last acknowledged an event. */
    lastDeliveryAt: p.datetime(3).nullable(),
    /** The first failed attempt since the last acknowledged one. */
    failingSince: p.datetime(3).nullable(),
  },
})
export type Webhook = InferEntity<typeof WebhookEntity>

/** Locks a webhook in the transaction of `em` and reads it as it is then. */
export async function lockWebhook(
  em: EntityManager,
  { organizationId, id }: Pick<Webhook, 'organizationId' | 'id'>,
): Promise<Webhook | null> {
  await em.execute(
    'select id from webhook where organization_id = ? and id = ? for no key update',
    [organizationId, id],
  )
  return em.findOne(WebhookEntity, { id }, { refresh: true })
}

/** The webhook as the interface shows it (section 2.7). */
export function webhookConfiguration(webhook: Webhook): WebhookConfiguration {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    active: webhook.active,
    createdAt: webhook.createdAt.toISOString(),
    lastDeliveryAt: webhook.lastDeliveryAt?.toISOString() ?? null,
  }
}

export function noSuchWebhook(): Refusal<'NOT_FOUND'> {
  return new Refusal('NOT_FOUND', 'The organization has no such webhook.')
}
