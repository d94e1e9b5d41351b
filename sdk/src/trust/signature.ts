import type { PublicKey } from '../generated/types.ts'

const signatureAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Bytes of r, and of s, in the form that WebCrypto and JWS use (RFC 7518, 3.4). */
const integerBytes = 32

/** @param signature r and s side by side */
export async function isSignedWith(
  { kty, crv, x, y }: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: string,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, keyAlgorithm, false, [
    'verify',
  ])
  return crypto.subtle.verify(signatureAlgorithm, key, signature, new TextEncoder().encode(signed))
}

/**
 * `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279, 2.2.3) as r and s side by side; null when it is not that, in the one
 * form that DER allows.
 */
export function rawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null
  const raw = new Uint8Array(2 * integerBytes)
  let at = 2
  for (const end of [integerBytes, 2 * integerBytes]) {
    const integer = der.subarray(at + 2, at + 2 + (der[at + 1] ?? 0))
    at += 2 + integer.length
    const [first = 0x80, second = 0] = integer
    const isMinimal = first !== 0 || second >= 0x80
    const digits = first === 0 ? integer.subarray(1) : integer
    if (der[at - integer.length - 2] !== 0x02 || first >= 0x80 || !isMinimal) return null
    if (digits.length > integerBytes) return null
    raw.set(digits, end - digits.length)
  }
  return at === der.length ? raw : null
}
