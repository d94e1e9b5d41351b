import type { EntityManager } from '@mikro-orm/postgresql'
import { type ApiVersion, currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { SubmissionEventName } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type {
  BatchEvent,
  SubmissionEvent,
  TestEvent,
  WebhookEvent as WebhookPayload,
} from '@pdfnorm/contracts/schema/webhook-event'
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { enqueueDeliveries } from './delivery-queue.ts'
import { type Webhook, WebhookEntity } from './webhook.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** What is announced: the name of the event and what it says. */
type Announced =
  | Pick<SubmissionEvent, 'event' | 'data'>
  | Pick<BatchEvent, 'event' | 'data'>
  | Pick<TestEvent, 'event' | 'data'>

/** Who is told. */
export type EventTarget =
  /** The active webhooks of the organization that listen to the event. */
  | 'configured'
  /** The address of one request or batch. */
  | { url: string }
  /** One webhook, whether it is active or not. */
  | { webhook: Pick<Webhook, 'id' | 'url'> }

export type Announcement = Announced & {
  organizationId: string
  target: EventTarget
  /** The version that writes the event; default: the current one. */
  apiVersion?: ApiVersion
}

/** The part of the platform that announcing takes. */
export type AnnouncingPlatform = Pick<Platform, 'clock' | 'queue'>

/**
 * Writes an event for each receiver and sends the jobs that deliver them, all in the transaction of `em`: what happened
 * is announced when, and only when, that commits.
 *
 * @returns the ids of the events, one for each receiver; empty when nobody listens
 */
export async function announceEvent(
  em: EntityManager,
  platform: AnnouncingPlatform,
  announcement: Announcement,
): Promise<string[]> {
  const { organizationId, target } = announcement
  const receivers = await receiversOf(em, organizationId, target, announcement.event)
  if (receivers.length === 0) return []

  const organization = await em.findOneOrFail(OrganizationEntity, { id: organizationId })
  const now = platform.clock.now()
  const askedFor = typeof target === 'object' && 'webhook' in target
  const events = receivers.map((receiver) => newEvent(announcement, receiver, now, askedFor))
  await em.insertMany(WebhookEventEntity, events)
  await enqueueDeliveries(platform, em, organization, events)
  return events.map(({ id }) => id)
}

type Receiver = Pick<WebhookEvent, 'webhookId' | 'url' | 'configured'>

async function receiversOf(
  em: EntityManager,
  organizationId: string,
  target: EventTarget,
  event: Announced['event'],
): Promise<Receiver[]> {
  if (target === 'configured') {
    const listening = { active: true, events: { $contains: [event as SubmissionEventName] } }
    return (await em.find(WebhookEntity, listening)).map(configuredReceiver)
  }
  if ('webhook' in target) return [configuredReceiver(target.webhook)]
  return [{ webhookId: uuidv5(target.url, organizationId), url: target.url, configured: false }]
}

function configuredReceiver({ id, url }: Pick<Webhook, 'id' | 'url'>): Receiver {
  return { webhookId: id, url, configured: true }
}

function newEvent(
  { organizationId, event, data, apiVersion = currentApiVersion }: Announcement,
  receiver: Receiver,
  now: Date,
  askedFor: boolean,
): WebhookEvent {
  // The name of an event and its data belong together, which the union says and its parts do not.
  const payload = {
    event,
    webhookId: receiver.webhookId,
    timestamp: now.toISOString(),
    apiVersion,
    data,
  } as WebhookPayload
  return {
    id: uuidv7(),
    organizationId,
    ...receiver,
    event,
    payload: JSON.stringify(payload),
    status: 'pending',
    askedFor,
    sends: 0,
    attempts: [],
    createdAt: now,
    nextAttemptAt: now,
    endedAt: null,
  }
}
