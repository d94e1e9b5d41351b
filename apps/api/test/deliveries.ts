import { DeadLetter } from '@pdfnorm/contracts/schema/dead-letter'
import {
  CreatedWebhook,
  QueuedEvent,
  type WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import { type WebhookDelivery, WebhookDeliveryPage } from '@pdfnorm/contracts/schema/webhook-event'
import { expect } from 'vitest'
import { z } from 'zod'
import { jsonPost, type TestOrganization } from './organization.ts'
import type { TestServer } from './server.ts'

/** What tests do with webhooks, over HTTP and as the owner. */
const path = '/api/portal/webhooks'

export async function createWebhook(
  organization: TestOrganization,
  url: string,
  more: Partial<Pick<WebhookConfiguration, 'events' | 'active'>> = {},
): Promise<CreatedWebhook> {
  const events = ['normalization.success', 'normalization.failure', 'normalization.rejected']
  const response = await organization.fetch(path, jsonPost({ url, events, ...more }))
  return CreatedWebhook.parse(await response.json())
}

/** Asks for a test event. */
export async function sendTest(organization: TestOrganization, webhookId: string): Promise<string> {
  const response = await organization.fetch(`${path}/${webhookId}/test`, { method: 'POST' })
  expect(response.status).toBe(202)
  return QueuedEvent.parse(await response.json()).eventId
}

export function replay(organization: TestOrganization, eventId: string): Promise<Response> {
  return organization.fetch(`${path}/${eventId}/replay`, { method: 'POST' })
}

export async function deliveriesOf(
  organization: TestOrganization,
  webhookId: string,
): Promise<WebhookDelivery[]> {
  const response = await organization.fetch(`${path}/${webhookId}/deliveries`)
  return WebhookDeliveryPage.strict().parse(await response.json()).items
}

export async function deadLetters(organization: TestOrganization): Promise<DeadLetter[]> {
  const response = await organization.fetch(`${path}/dead`)
  return z.array(DeadLetter.strict()).parse(await response.json())
}

/** Makes every attempt that is planned due now, until no event waits for one. */
export async function deliverAll(server: TestServer): Promise<void> {
  await expect.poll(() => hurry(server), { interval: 20, timeout: 20_000 }).toBe(0)
}

/**
 * Makes every attempt that is planned due now.
 *
 * @returns how many events wait for one
 */
export async function hurry({ database }: TestServer): Promise<number> {
  const queues = `('deliver-webhook', 'deliver-to-troubled-webhook')`
  await database.query(
    `update pgboss.job set start_after = now() where name in ${queues} and state = 'created'`,
  )
  await database.query(
    `select pg_notify('pdfnorm_job', name) from pgboss.queue where name in ${queues}`,
  )
  const pending = `select id from webhook_event where status = 'pending'`
  return (await database.query(pending)).length
}
