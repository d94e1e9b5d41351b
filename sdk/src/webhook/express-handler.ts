import { WebhookError } from '../error/webhook-error.ts'
import type { WebhookEvent } from '../generated/types.ts'
import { type OnWebhookEvent, secretsOf, type WebhookSecret } from './fetch-handler.ts'
import { limitedBody } from './limited-body.ts'
import { unwrap, type UnwrapOptions, type WebhookHeaders } from './unwrap.ts'

/** As much of a request of Express, or of Node itself, as is read here. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Extract<WebhookHeaders, Readonly<Record<string, unknown>>>
  /** What a parser has made of the body: bytes or text, or nothing when there is no parser. */
  readonly body?: unknown
}

export interface NodeResponse {
  statusCode: number
  end(body?: string): unknown
}

/**
 * A route for Express, and for everything else whose requests are Node's. It answers 204 when `onEvent` is through,
 * 400 to what the service has not sent, and hands what `onEvent` throws to `next`, so that the service sends the
 * event again.
 *
 * It needs no parser before it; after `express.json()` the bytes that were signed are gone.
 */
export function expressHandler(
  secret: WebhookSecret,
  onEvent: OnWebhookEvent,
  options: UnwrapOptions = {},
): (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error: unknown) => void,
) => Promise<void> {
  return async (request, response, next) => {
    try {
      const status = await receive(request, secret, onEvent, options)
      response.statusCode = typeof status === 'number' ? status : 400
      response.end(typeof status === 'number' ? undefined : status.message)
    } catch (error) {
      if (next !== undefined) return next(error)
      response.statusCode = 500
      response.end()
    }
  }
}

async function receive(
  request: NodeRequest,
  secret: WebhookSecret,
  onEvent: OnWebhookEvent,
  options: UnwrapOptions,
): Promise<204 | 413 | WebhookError> {
  // Version 4 of Express leaves an object where no parser has found anything to do, version 5 undefined.
  const body = request.body === undefined ? await limitedBody(request) : request.body
  if (body === null) return 413
  let event: WebhookEvent
  try {
    event = await unwrap(body as Uint8Array, request.headers, secretsOf(secret), options)
  } catch (error) {
    if (error instanceof WebhookError && error.code !== 'WEBHOOK_BODY_NOT_RAW') return error
    throw error
  }
  const id = request.headers['webhook-id']
  await onEvent(event, typeof id === 'string' ? id : null)
  return 204
}
