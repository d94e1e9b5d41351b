import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import { endWithout } from './end-event.ts'
import { type Webhook, WebhookEntity } from './webhook.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'
import { defaultSecrets, signingSecrets } from './webhook-secret.ts'

export interface PreparedDelivery {
  readonly event: WebhookEvent
  /** Where the webhook is now: an address that was corrected gets what was waiting, too. */
  readonly url: string
  /** What signs, the newest first. */
  readonly secrets: readonly string[]
}

/**
 * Looks up what the next attempt of an event takes. An event whose webhook is deleted or not active any more ends here
 * as a dead letter, and its last attempt says why nothing was sent.
 *
 * @returns null when there is nothing to send
 */
export async function prepareDelivery(
  platform: Pick<Platform, 'clock' | 'secretsKey'>,
  em: EntityManager,
  eventId: string,
): Promise<PreparedDelivery | null> {
  const event = await em.findOne(WebhookEventEntity, { id: eventId, status: 'pending' })
  if (event === null) return null

  const webhook = await webhookOf(em, event)
  const { organizationId } = event
  if (event.configured && (webhook === null || !(webhook.active || event.askedFor))) {
    const why = webhook === null ? 'The webhook was deleted' : 'The webhook is not active'
    await endWithout(em, event, `${why}: nothing was sent.`, platform.clock.now())
    return null
  }

  // Decision 4.4: an address that is also a configured webhook's is signed with that webhook's secret.
  const own = webhook
    ? await signingSecrets(platform, em, { organizationId, signerId: webhook.id })
    : []
  const secrets = own.length > 0 ? own : await defaultSecrets(platform, em, organizationId)
  return { event, url: event.configured && webhook ? webhook.url : event.url, secrets }
}

async function webhookOf(em: EntityManager, event: WebhookEvent): Promise<Webhook | null> {
  if (event.configured) return em.findOne(WebhookEntity, { id: event.webhookId })
  const orderBy = { active: 'desc', createdAt: 'asc', id: 'asc' } as const
  return em.findOne(WebhookEntity, { url: event.url }, { orderBy })
}
