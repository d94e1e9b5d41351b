import { createHmac } from 'node:crypto'

/** What is signed: the bytes of one attempt, when it is made, and with which secrets. */
export interface Signing {
  /** The event's id, the same over all attempts. */
  readonly eventId: string
  readonly payload: Buffer
  readonly at: Date
  /** `whsec_…`, the newest first; at least one. */
  readonly secrets: readonly string[]
}

/**
 * The headers that let a receiver check who sent a body.
 *
 * `X-Service-Signature` is keyed with the bytes of the newest secret as it is written, prefix included (interface,
 * section 6; decision 4.4). Standard Webhooks key with the bytes that the base64 behind the prefix stands for, and
 * carry one signature for each secret that is valid.
 */
export function signatureHeaders({
  eventId,
  payload,
  at,
  secrets,
}: Signing): Record<string, string> {
  const [newest] = secrets
  if (newest === undefined) throw new Error('There is no secret to sign with')
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), payload])
  return {
    'X-Service-Signature': createHmac('sha256', newest).update(payload).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => standardSignature(secret, signed)).join(' '),
  }
}

function standardSignature(secret: string, signed: Buffer): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
