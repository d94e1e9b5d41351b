import { bytesOfBase64 } from '../encoding.ts'
import { VerificationError } from '../error/verification-error.ts'
import type { Attestation } from '../generated/types.ts'
import { canonicalJson } from './canonical-json.ts'
import { expectHash } from './expect-hash.ts'
import { isRecord } from './is-record.ts'
import { keyOf } from './key-source.ts'
import { isSignedWith, rawSignature } from './signature.ts'
import type { VerifyOptions } from './verify-certificate.ts'

/**
 * Verifies an attestation without asking anyone: its signature is over the document without `signature` as RFC 8785
 * canonical JSON. With a PDF it also verifies that the attestation is about this very file.
 *
 * @param attestation the document, or its JSON text
 * @returns the document
 * @throws {VerificationError} ATTESTATION_INVALID, or HASH_MISMATCH when the attestation is about another file
 */
export async function verifyAttestation(
  attestation: Attestation | string,
  { keys, pdf }: VerifyOptions,
): Promise<Attestation> {
  const document = typeof attestation === 'string' ? parsed(attestation) : attestation
  if (!isAttestation(document)) throw invalid('it is not a normalization attestation')
  const { signature, ...signed } = document
  const der = bytesOfBase64(signature.value)
  const raw = der && rawSignature(der)
  if (raw === null) throw invalid('its signature is not an ECDSA signature in DER')
  const key = await keyOf(keys, document.issuer.publicKeyId)
  if (key === undefined) throw invalid(`there is no key ${document.issuer.publicKeyId}`)
  if (!(await isSignedWith(key, raw, canonical(signed)))) {
    throw invalid('its signature does not verify')
  }
  if (pdf !== undefined) await expectHash(pdf, document.subject.normalizedSha256, 'attestation')
  return document
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid('it is not JSON')
  }
}

function canonical(signed: object): string {
  try {
    return canonicalJson(signed)
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error
  }
}

/** As far as it is read before the signature says that the rest is the service's own. */
function isAttestation(value: unknown): value is Attestation {
  if (!isRecord(value) || value['@type'] !== 'NormalizationAttestation') return false
  const { issuer, subject, signature } = value
  return (
    isRecord(issuer) &&
    typeof issuer['publicKeyId'] === 'string' &&
    isRecord(subject) &&
    typeof subject['normalizedSha256'] === 'string' &&
    isRecord(signature) &&
    signature['algorithm'] === 'ECDSA-P256-SHA256' &&
    typeof signature['value'] === 'string'
  )
}

function invalid(why: string): VerificationError {
  return new VerificationError('ATTESTATION_INVALID', `The attestation is not valid: ${why}`)
}
