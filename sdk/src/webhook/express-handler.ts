import { WebhookError } from '../error/webhook-error.ts'
import type { WebhookEvent } from '../generated/types.ts'
import { type OnWebhookEvent, secretsOf, type WebhookSecret } from './fetch-handler.ts'
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

/** Larger than any event. */
const largestBodyBytes = 1024 * 1024

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
  const body = await bodyOf(request)
  if (body === null) return 413
  let event: WebhookEvent
  try {
    event = await unwrap(body, request.headers, secretsOf(secret), options)
  } catch (error) {
    if (error instanceof WebhookError && error.code !== 'WEBHOOK_BODY_NOT_RAW') return error
    throw error
  }
  const id = request.headers['webhook-id']
  await onEvent(event, typeof id === 'string' ? id : null)
  return 204
}

/** Null when it is too large. */
async function bodyOf(request: NodeRequest): Promise<Uint8Array | null> {
  // Express leaves an object where a parser found nothing to do (version 4) or undefined (version 5).
  const given = request.body
  if (given !== undefined) return given as Uint8Array
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largestBodyBytes) return null
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}
