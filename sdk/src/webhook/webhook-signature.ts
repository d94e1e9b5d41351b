import { base64Of, bytesOfBase64, hexOf } from '../encoding.ts'

const hmac = { name: 'HMAC', hash: 'SHA-256' } as const
const secretPrefix = 'whsec_'

/** `X-Service-Signature`: lower-case hexadecimal, keyed with the secret as it is written. */
export async function serviceSignature(secret: string, body: Uint8Array): Promise<string> {
  const digest = await signed(new TextEncoder().encode(secret), body)
  return hexOf(new Uint8Array(digest))
}

export async function isServiceSignature(
  signature: string,
  secret: string,
  body: Uint8Array,
): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (digits) => parseInt(digits, 16))
  return isSigned(new TextEncoder().encode(secret), bytes, body)
}

/**
 * One signature of `webhook-signature` (Standard Webhooks), over id, time and body, keyed with the bytes that the
 * secret is the base64 of.
 *
 * @param message what {@link standardMessage} gives
 */
export async function standardSignature(secret: string, message: Uint8Array): Promise<string> {
  return `v1,${base64Of(await signed(standardKey(secret), message))}`
}

/** @param signatures the header: several, separated by spaces, while a secret is being rotated */
export async function isStandardSignature(
  signatures: string,
  secret: string,
  message: Uint8Array,
): Promise<boolean> {
  const key = standardKey(secret)
  for (const signature of signatures.split(' ').slice(0, mostSignatures)) {
    if (!signature.startsWith('v1,')) continue
    const bytes = bytesOfBase64(signature.slice('v1,'.length))
    if (bytes !== null && (await isSigned(key, bytes, message))) return true
  }
  return false
}

export function standardMessage(id: string, timestamp: string, body: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const message = new Uint8Array(head.length + body.length)
  message.set(head)
  message.set(body, head.length)
  return message
}

const mostSignatures = 16

/** @throws {TypeError} when the secret is not one of the service's */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith(secretPrefix)
    ? bytesOfBase64(secret.slice(secretPrefix.length))
    : null
  if (key !== null && key.length > 0) return key
  throw new TypeError('A webhook secret is whsec_ and base64')
}

async function signed(key: Uint8Array<ArrayBuffer>, message: Uint8Array): Promise<ArrayBuffer> {
  return crypto.subtle.sign(hmac.name, await imported(key, 'sign'), unshared(message))
}

/** Compares in constant time. */
async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array,
): Promise<boolean> {
  return crypto.subtle.verify(
    hmac.name,
    await imported(key, 'verify'),
    signature,
    unshared(message),
  )
}

async function imported(
  key: Uint8Array<ArrayBuffer>,
  usage: 'sign' | 'verify',
): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, hmac, false, [usage])
}

/** WebCrypto takes no shared memory, and bodies never lie in it. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
