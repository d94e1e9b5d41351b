import { bytesOfBase64 } from '../encoding.ts'
import { VerificationError } from '../error/verification-error.ts'
import type { CertificateClaims, CertificateHeader } from '../generated/types.ts'
import type { PdfSource } from '../transfer/pdf-source.ts'
import { expectHash } from './expect-hash.ts'
import { isRecord } from './is-record.ts'
import { keyOf, type KeySource } from './key-source.ts'
import { isSignedWith } from './signature.ts'

/** With what a document is verified. */
export interface VerifyOptions {
  /** The published keys: a key set, or `publishedKeys(baseUrl)`. */
  readonly keys: KeySource
  /** The normalized file, whose own SHA-256 then has to be the certified one. */
  readonly pdf?: PdfSource | undefined
}

/**
 * Verifies a certificate without asking anyone: a JWS in compact serialization (RFC 7515) signed with ES256 by one
 * of these keys. With a PDF it also verifies that the certificate is about this very file.
 *
 * @returns what the certificate claims
 * @throws {VerificationError} CERTIFICATE_INVALID, or HASH_MISMATCH when the certificate is about another file
 */
export async function verifyCertificate(
  certificate: string,
  { keys, pdf }: VerifyOptions,
): Promise<CertificateClaims> {
  const [head, payload, signature, ...more] = certificate.trim().split('.')
  if (head === undefined || payload === undefined || signature === undefined || more.length > 0) {
    throw invalid('it is not a JWS in compact serialization')
  }
  // The algorithm is ours to choose, not the header's (RFC 8725, 3.1).
  const header = decodeJson(head)
  if (!isHeader(header)) throw invalid('its header is not that of a normalization certificate')
  const key = await keyOf(keys, header.kid)
  if (key === undefined) throw invalid(`there is no key ${header.kid}`)
  if (!(await isSignedWith(key, decode(signature), `${head}.${payload}`))) {
    throw invalid('its signature does not verify')
  }
  const claims = decodeJson(payload)
  if (!isClaims(claims)) throw invalid('its claims are not those of a normalization certificate')
  if (pdf !== undefined) await expectHash(pdf, claims.normalizedSha256, 'certificate')
  return claims
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

function decodeJson(part: string): unknown {
  const text = new TextDecoder().decode(decode(part))
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('a part of it is not JSON')
  }
}

/** RFC 7515, 2: base64url without padding. */
function decode(part: string): Uint8Array<ArrayBuffer> {
  const bytes = /[+/=]/.test(part) ? null : bytesOfBase64(part)
  if (bytes === null) throw invalid('a part of it is not base64url')
  return bytes
}

function invalid(why: string): VerificationError {
  return new VerificationError('CERTIFICATE_INVALID', `The certificate is not valid: ${why}`)
}
