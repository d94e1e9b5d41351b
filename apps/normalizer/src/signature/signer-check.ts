import { digestName, isWeakDigest, newHash } from './algorithm.ts'
import {
  type Asn1,
  childAt,
  childrenOf,
  isTagged,
  isUniversal,
  octetsOf,
  oidOf,
  sameBytes,
} from './asn1.ts'
import type { Certificate } from './certificate.ts'
import {
  algorithmIdentifier,
  type Attributes,
  attributeValue,
  type SignedData,
  type SignerInfo,
  signerCertificate,
} from './cms.ts'
import { checkSignature, type SignatureCheck } from './signature-value.ts'

/** What a signature is over: hashed part by part, put together only where there is no other way. */
export interface SignedContent {
  readonly parts: readonly Uint8Array[]
}

export interface SignerCheck {
  /** Why it does not hold, in the words of trust, 2.2; null when it does. */
  readonly reason: string | null
  readonly certificate: Certificate | null
  readonly weakAlgorithm: string | null
}

export function contentDigest({ parts }: SignedContent, name: string): Uint8Array {
  const hash = newHash(name)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/**
 * Verifies the one signer of SignedData over the content (RFC 5652, 5.4 and 5.6; trust, 2.3 points 5 and 6).
 *
 * @throws {MalformedAsn1Error}
 */
export function checkSigner(data: SignedData, content: SignedContent): SignerCheck {
  const { signer } = data
  const certificate = signerCertificate(data)
  const digest = digestName(signer.digestAlgorithm.oid)
  const failed = (reason: string): SignerCheck => ({ reason, certificate, weakAlgorithm: null })

  if (!certificate) return failed('no signer certificate')
  if (digest === null) return failed(unsupported(signer.digestAlgorithm.oid))
  if (!certificate.publicKey) return failed(unsupported(signer.signatureAlgorithm.oid))

  const attributes = signer.signedAttributes
  if (attributes) {
    const fault = attributesFault(attributes.values, data, certificate)
    if (fault) return failed(fault)
    const stated = octetsOf(attributeValue(attributes.values, messageDigest))
    if (!sameBytes(stated, contentDigest(content, digest))) return failed('digest mismatch')
  }
  const signed = attributes ? attributes.encoding : Buffer.concat(content.parts)
  const check = checkSignature(
    certificate.publicKey,
    signer.signatureAlgorithm,
    signer.digestAlgorithm.oid,
    signed,
    signer.signature,
  )
  return {
    reason: reasonOf(check),
    certificate,
    weakAlgorithm: isWeakDigest(digest) ? digest : null,
  }
}

/** null when the signature holds. */
export function reasonOf(check: SignatureCheck): string | null {
  if (check.kind === 'verified') return null
  if (check.kind === 'unsupported') return unsupported(check.oid)
  return 'signature value does not verify'
}

function unsupported(oid: string): string {
  return `unsupported algorithm ${oid}`
}

const contentType = '1.2.840.113549.1.9.3'
const messageDigest = '1.2.840.113549.1.9.4'
const algorithmProtection = '1.2.840.113549.1.9.52'
const signingCertificate = '1.2.840.113549.1.9.16.2.12'
const signingCertificateV2 = '1.2.840.113549.1.9.16.2.47'

function attributesFault(
  attributes: Attributes,
  data: SignedData,
  certificate: Certificate,
): string | null {
  const type = attributeValue(attributes, contentType)
  const digest = attributeValue(attributes, messageDigest)
  if (!type || !digest || oidOf(type) !== data.contentType) return 'cms malformed'
  if (!algorithmsProtected(attributes, data.signer)) return 'cms malformed'
  return namesCertificate(attributes, certificate) ? null : 'no signer certificate'
}

/** RFC 6211: where the algorithms are signed too, they have to be the ones that are used. */
function algorithmsProtected(attributes: Attributes, signer: SignerInfo): boolean {
  const value = attributeValue(attributes, algorithmProtection)
  if (!value) return true
  const signature = childrenOf(value).find((field) => isTagged(field, 1))
  return (
    algorithmIdentifier(childAt(value, 0)).oid === signer.digestAlgorithm.oid &&
    (!signature || oidOf(childAt(signature, 0)) === signer.signatureAlgorithm.oid)
  )
}

/** RFC 5035: the first certificate identifier is the signer's. */
function namesCertificate(attributes: Attributes, certificate: Certificate): boolean {
  const first = attributeValue(attributes, signingCertificate)
  const second = attributeValue(attributes, signingCertificateV2)
  return (
    (!first || hashMatches(childAt(childAt(first, 0), 0), 'sha1', certificate)) &&
    (!second || hashMatches(childAt(childAt(second, 0), 0), 'sha256', certificate))
  )
}

function hashMatches(identifier: Asn1, defaultHash: string, certificate: Certificate): boolean {
  const [first, next] = childrenOf(identifier)
  const named = isUniversal(first, 16) ? digestName(algorithmIdentifier(first).oid) : defaultHash
  const hash = isUniversal(first, 16) ? next : first
  if (named === null) return false
  return sameBytes(octetsOf(hash), newHash(named).update(certificate.encoding).digest())
}
