import type { WebhookEvent } from '../generated/types.ts'
import { serviceSignature, standardMessage, standardSignature } from './webhook-signature.ts'

/** A request as the service sends it. */
export interface SignedWebhook {
  readonly body: string
  readonly headers: Record<string, string>
}

/**
 * Signs an event as the service does, for tests of a receiver.
 *
 * @param event the event, or the exact text of the body
 */
export async function sign(
  event: WebhookEvent | string,
  secret: string,
  { id = crypto.randomUUID(), sentAt = new Date() }: { id?: string; sentAt?: Date } = {},
): Promise<SignedWebhook> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const bytes = new TextEncoder().encode(body)
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-signature': await serviceSignature(secret, bytes),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': await standardSignature(secret, standardMessage(id, timestamp, bytes)),
    },
  }
}
