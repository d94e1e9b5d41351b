import { digestName, isWeakDigest, newHash } from './algorithm.ts'
import { childAt, childrenOf, isTagged, octetsOf, oidOf, parseAsn1 } from './asn1.ts'
import type { Certificate } from './certificate.ts'
import { type Attributes, attributeValue, type SignedData, type SignerInfo } from './cms.ts'
import { sameBytes } from './malformed.ts'
import { checkSignature, type SignatureCheck } from './signature-value.ts'
import {
  attributesName,
  signerCandidates,
  signingCertificate,
  signingCertificateV2,
} from './signer-certificate.ts'
import type { ValidationMaterial } from './validation-material.ts'

/** What a signature is over: hashed part by part and put together only where there is no other way. */
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
 * @param material where a certificate is looked for that the signature does not bring
 * @throws {MalformedAsn1Error}
 */
export function checkSigner(
  data: SignedData,
  content: SignedContent,
  material: ValidationMaterial,
): SignerCheck {
  const candidates = signerCandidates(data, material)
  const [first = null] = candidates
  const fault = structureFault(data, content)
  if (!first || fault !== null) {
    const reason = fault ?? 'no signer certificate'
    return { reason, certificate: first, weakAlgorithm: null }
  }
  let check: SignerCheck | null = null
  for (const certificate of candidates) {
    const next = checkWith(certificate, data, content, material)
    if (next.reason === null) return next
    check ??= next
  }
  return check ?? { reason: 'no signer certificate', certificate: null, weakAlgorithm: null }
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

const dataType = '1.2.840.113549.1.7.1'
const contentType = '1.2.840.113549.1.9.3'
const messageDigest = '1.2.840.113549.1.9.4'
const algorithmProtection = '1.2.840.113549.1.9.52'
/** RFC 5652, 11; RFC 6211, 2; RFC 5035, 5.4: none may stand there twice or with several values. */
const singleAttributes = [
  contentType,
  messageDigest,
  algorithmProtection,
  signingCertificate,
  signingCertificateV2,
]

/** What is wrong whoever signed. */
function structureFault(data: SignedData, content: SignedContent): string | null {
  const { signer } = data
  const digest = digestName(signer.digestAlgorithm.oid)
  if (digest === null) return unsupported(signer.digestAlgorithm.oid)
  const attributes = signer.signedAttributes?.values
  // RFC 5652, 5.3: other content than plain data has to be signed with its type.
  if (!attributes) return data.contentType === dataType ? null : 'cms malformed'

  const type = attributeValue(attributes, contentType)
  const stated = attributeValue(attributes, messageDigest)
  const isSingle = singleAttributes.every((oid) => (attributes.get(oid)?.length ?? 1) === 1)
  if (!type || !stated || !isSingle || oidOf(parseAsn1(type).value) !== data.contentType)
    return 'cms malformed'
  if (!algorithmsProtected(attributes, signer)) return 'cms malformed'
  return sameBytes(octetsOf(parseAsn1(stated).value), contentDigest(content, digest))
    ? null
    : 'digest mismatch'
}

/** RFC 6211: where the algorithms are signed too, they have to be the ones that are used. */
function algorithmsProtected(attributes: Attributes, signer: SignerInfo): boolean {
  const attribute = attributeValue(attributes, algorithmProtection)
  if (!attribute) return true
  const { value } = parseAsn1(attribute)
  const signature = childrenOf(value).find((field) => isTagged(field, 1))
  return (
    oidOf(childAt(childAt(value, 0), 0)) === signer.digestAlgorithm.oid &&
    (!signature || oidOf(childAt(signature, 0)) === signer.signatureAlgorithm.oid)
  )
}

function checkWith(
  certificate: Certificate,
  { signer }: SignedData,
  content: SignedContent,
  material: ValidationMaterial,
): SignerCheck {
  const { signedAttributes, signatureAlgorithm, digestAlgorithm, signature } = signer
  const failed = (reason: string): SignerCheck => ({ reason, certificate, weakAlgorithm: null })
  if (!certificate.publicKey) return failed(unsupported(signatureAlgorithm.oid))
  if (signedAttributes && !attributesName(signedAttributes.values, certificate, material)) {
    return failed('no signer certificate')
  }
  const check = checkSignature(
    certificate.publicKey,
    signatureAlgorithm,
    digestAlgorithm.oid,
    signedAttributes ? [signedAttributes.encoding] : content.parts,
    signature,
  )
  const weak = check.kind === 'verified' && isWeakDigest(check.digest) ? check.digest : null
  return { reason: reasonOf(check), certificate, weakAlgorithm: weak }
}
