import type { CertificateClaims, CertificateHeader, KeySet, PublicKey } from './generated/types.ts'
import { PdfnormError } from './problem-error.ts'
import { sha256Hex } from './sha256.ts'

const signatureAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

/**
 * Verifies a certificate without asking anyone: a JWS in compact serialization (RFC 7515) signed with ES256 by one
 * of these keys. With a PDF it also verifies that the certificate is about this very file.
 *
 * @returns what the certificate claims
 * @throws {PdfnormError} CERTIFICATE_INVALID, or HASH_MISMATCH when the certificate is about another file
 */
export async function verifyCertificate(
  certificate: string,
  { keys, pdf }: { keys: KeySet; pdf?: Uint8Array<ArrayBuffer> },
): Promise<CertificateClaims> {
  const [header, payload, signature, ...more] = certificate.trim().split('.')
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) {
    throw invalid('it is not a JWS in compact serialization')
  }
  const key = signingKey(decodeJson(header), keys)
  const signed = new TextEncoder().encode(`${header}.${payload}`)
  if (!(await isSignedWith(key, decodeBase64url(signature), signed))) {
    throw invalid('its signature does not verify')
  }
  const claims = decodeJson(payload)
  if (!isClaims(claims)) throw invalid('its claims are not those of a normalization certificate')
  if (pdf !== undefined) await expectHash(pdf, claims.normalizedSha256)
  return claims
}

/** The `kid` in a certificate's header, which says by which key it wants to be verified. */
export function keyIdOf(certificate: string): string | null {
  const header = decodeJson(certificate.trim().split('.')[0] ?? '')
  return isHeader(header) ? header.kid : null
}

/** The algorithm is ours to choose, not the header's (RFC 8725, 3.1). */
function signingKey(header: unknown, { keys }: KeySet): PublicKey {
  if (!isHeader(header)) throw invalid('its header is not that of a normalization certificate')
  const key = keys.find((candidate) => candidate.kid === header.kid)
  if (key === undefined) throw invalid(`there is no key ${header.kid}`)
  return key
}

async function isSignedWith(
  { kty, crv, x, y }: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const jwk = { kty, crv, x, y }
  const key = await crypto.subtle.importKey('jwk', jwk, keyAlgorithm, false, ['verify'])
  return crypto.subtle.verify(signatureAlgorithm, key, signature, signed)
}

async function expectHash(pdf: Uint8Array<ArrayBuffer>, certified: string): Promise<void> {
  const actual = await sha256Hex(pdf)
  if (actual === certified) return
  throw new PdfnormError(
    'HASH_MISMATCH',
    `The certificate is about the file ${certified}, and this is ${actual}`,
  )
}

function isHeader(value: unknown): value is CertificateHeader {
  return (
    isRecord(value) &&
    value['alg'] === 'ES256' &&
    value['typ'] === 'normalization-certificate+jwt' &&
    typeof value['kid'] === 'string' &&
    // RFC 7515, 4.1.11: an extension that is not understood makes the JWS invalid.
    !('crit' in value)
  )
}

function isClaims(value: unknown): value is CertificateClaims {
  return (
    isRecord(value) &&
    typeof value['iss'] === 'string' &&
    typeof value['jti'] === 'string' &&
    typeof value['normalizedSha256'] === 'string' &&
    typeof value['originalSha256'] === 'string' &&
    value['sub'] === `sha256:${value['normalizedSha256']}`
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function decodeJson(part: string): unknown {
  const text = new TextDecoder().decode(decodeBase64url(part))
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('a part of it is not JSON')
  }
}

function decodeBase64url(part: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(part)) throw invalid('a part of it is not base64url')
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function invalid(why: string): PdfnormError {
  return new PdfnormError('CERTIFICATE_INVALID', `The certificate is not valid: ${why}`)
}
