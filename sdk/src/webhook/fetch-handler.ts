import { WebhookError } from '../error/webhook-error.ts'
import type { WebhookEvent } from '../generated/types.ts'
import { limitedBody } from './limited-body.ts'
import { unwrap, type UnwrapOptions } from './unwrap.ts'

/** What a receiver does with an event. It comes at least once: `webhook-id` says which one it is. */
export type OnWebhookEvent = (event: WebhookEvent, webhookId: string | null) => unknown

/**
 * A route for servers that take a Request and give a Response: Hono, Next, Bun, Deno, workers. It answers 204 when
 * `onEvent` is through, 400 to what the service has not sent, and throws what `onEvent` throws, so that the service
 * sends the event again.
 *
 * @param secret the webhook's secret, several, or a function that gives them
 */
export function fetchHandler(
  secret: WebhookSecret,
  onEvent: OnWebhookEvent,
  options: UnwrapOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await limitedBody(request.body ?? [])
    if (body === null) return new Response(null, { status: 413 })
    let event: WebhookEvent
    try {
      event = await unwrap(body, request.headers, secretsOf(secret), options)
    } catch (error) {
      if (error instanceof WebhookError) return new Response(error.message, { status: 400 })
      throw error
    }
    await onEvent(event, request.headers.get('webhook-id'))
    return new Response(null, { status: 204 })
  }
}

export type WebhookSecret = string | readonly string[] | (() => string | readonly string[])

/** Workers have their environment only while they answer: there it is a function. */
export function secretsOf(secret: WebhookSecret): string | readonly string[] {
  return typeof secret === 'function' ? secret() : secret
}
