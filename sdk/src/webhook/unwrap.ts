import { WebhookError } from '../error/webhook-error.ts'
import type { WebhookEvent } from '../generated/types.ts'
import { isServiceSignature, isStandardSignature, standardMessage } from './webhook-signature.ts'

/** Headers as fetch, Node and Express have them; names in any case. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface UnwrapOptions {
  /** Seconds by which `webhook-timestamp` may be off, either way. Default: 300. */
  readonly toleranceSeconds?: number
  /**
   * Takes only what carries the headers of Standard Webhooks: `X-Service-Signature` covers no time, so alone it does
   * not tell an old request from a new one. Default: false.
   */
  readonly requireTimestamp?: boolean
}

const defaultToleranceSeconds = 300

/**
 * The event of a request, once its signature has been verified: that of Standard Webhooks when the request has one,
 * else `X-Service-Signature`.
 *
 * @param rawBody the body as it arrived, before anything has parsed it
 * @param secret the webhook's secret, or several while one is being rotated
 * @throws {WebhookError} when the service has not just sent it
 */
export async function unwrap(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: UnwrapOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!secrets.some(Boolean)) throw new TypeError('The webhook secret is empty')
  if (!(await isGenuine(body, headers, secrets, options))) {
    throw new WebhookError(
      'WEBHOOK_SIGNATURE_INVALID',
      'The signature is not of this body with this secret',
    )
  }
  const event: WebhookEvent = JSON.parse(new TextDecoder().decode(body))
  return event
}

async function isGenuine(
  body: Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly string[],
  { toleranceSeconds = defaultToleranceSeconds, requireTimestamp = false }: UnwrapOptions,
): Promise<boolean> {
  const standard = headerOf(headers, 'webhook-signature')
  if (standard !== null) {
    const timestamp = headerOf(headers, 'webhook-timestamp') ?? ''
    expectRecent(timestamp, toleranceSeconds)
    const message = standardMessage(headerOf(headers, 'webhook-id') ?? '', timestamp, body)
    return anyOf(secrets, (secret) => isStandardSignature(standard, secret, message))
  }
  const service = headerOf(headers, 'x-service-signature')
  if (service === null || requireTimestamp) {
    const wanted = requireTimestamp ? 'webhook-signature' : 'signature'
    throw new WebhookError('WEBHOOK_SIGNATURE_MISSING', `The request has no ${wanted} header`)
  }
  return anyOf(secrets, (secret) => isServiceSignature(service, secret, body))
}

/** An old request that somebody kept is not taken for a new one. */
function expectRecent(timestamp: string, toleranceSeconds: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : NaN
  if (Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds) return
  throw new WebhookError(
    'WEBHOOK_TIMESTAMP_INVALID',
    `The request was sent more than ${toleranceSeconds} s ago, or the clocks differ`,
  )
}

async function anyOf(
  secrets: readonly string[],
  verifies: (secret: string) => Promise<boolean>,
): Promise<boolean> {
  for (const secret of secrets) if (await verifies(secret)) return true
  return false
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : (value?.join(' ') ?? null)
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  if (rawBody instanceof Uint8Array) return rawBody
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  throw new WebhookError(
    'WEBHOOK_BODY_NOT_RAW',
    'The body is parsed already. The signature is over its bytes: give the raw body, with Express ' +
      "express.raw({ type: 'application/json' }) in place of express.json(), with fetch await request.text()",
  )
}
