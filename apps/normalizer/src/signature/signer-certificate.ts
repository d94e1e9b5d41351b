import { AlgorithmIdentifier } from 'pkijs'
import { digestName, newHash } from './algorithm.ts'
import {
  type Asn1,
  childAt,
  childrenOf,
  contentOf,
  decoded,
  isTagged,
  isUniversal,
  octetsOf,
  parseAsn1,
  type ReadingBudget,
} from './asn1.ts'
import { type Certificate, keyHash } from './certificate.ts'
import { subjectKeyIdentifier } from './certificate-extension.ts'
import { type Attributes, attributeValue, type SignedData, type SignerIdentifier } from './cms.ts'
import { sameName } from './distinguished-name.ts'
import { generalName } from './general-name.ts'
import { sameBytes, unlessMalformed } from './malformed.ts'
import type { ValidationMaterial } from './validation-material.ts'

/** Certificates that fit one signer info and are tried; there is one, but anybody may add others of the same name. */
const maxCandidates = 8

/**
 * The certificates that the signer info may mean: those of the signature that it names, else those that the document
 * has elsewhere (RFC 5652, 5.3).
 */
export function signerCandidates(
  { certificates, signer }: SignedData,
  material: ValidationMaterial,
): Certificate[] {
  const inside = certificates
    .map((encoding) => material.certificate(encoding))
    .filter((certificate) => certificate !== null)
  const matches = (certificate: Certificate): boolean =>
    unlessMalformed(() => isNamed(certificate, signer.identifier)) === true
  const named = inside.filter(matches)
  const found = named.length > 0 ? named : material.certificates.filter(matches)
  return found.slice(0, maxCandidates)
}

function isNamed(certificate: Certificate, identifier: SignerIdentifier): boolean {
  if (identifier.kind === 'issuer') {
    return (
      sameBytes(certificate.serial, identifier.serial) &&
      sameName(certificate.issuer, identifier.issuer)
    )
  }
  const keyIdentifier = subjectKeyIdentifier(certificate) ?? keyHash(certificate)
  return sameBytes(keyIdentifier, identifier.keyIdentifier)
}

export const signingCertificate = '1.2.840.113549.1.9.16.2.12'
export const signingCertificateV2 = '1.2.840.113549.1.9.16.2.47'

/** RFC 5035: the first certificate identifier in each of the attributes is the signer's. @throws {MalformedAsn1Error} */
export function attributesName(
  attributes: Attributes,
  certificate: Certificate,
  { budget }: ValidationMaterial,
): boolean {
  const first = attributeValue(attributes, signingCertificate)
  const second = attributeValue(attributes, signingCertificateV2)
  return (
    (!first || isIdentified(firstIdentifier(first, budget), 'sha1', certificate)) &&
    (!second || isIdentified(firstIdentifier(second, budget), 'sha256', certificate))
  )
}

function firstIdentifier(attribute: Uint8Array, budget: ReadingBudget): Asn1 {
  return childAt(childAt(parseAsn1(attribute, budget).value, 0), 0)
}

/** ESSCertID and ESSCertIDv2: a hash and, where they stand there, issuer and serial number. */
function isIdentified(identifier: Asn1, defaultHash: string, certificate: Certificate): boolean {
  const fields = childrenOf(identifier)
  const algorithm = isUniversal(fields[0], 'sequence') ? fields[0] : null
  const [hash, issuerSerial] = algorithm ? fields.slice(1) : fields
  const digest = algorithm
    ? digestName(decoded(AlgorithmIdentifier, algorithm).algorithmId)
    : defaultHash
  if (digest === null) return false
  const own = newHash(digest).update(certificate.encoding).digest()
  return (
    sameBytes(octetsOf(hash), own) && (!issuerSerial || isIssuerSerial(issuerSerial, certificate))
  )
}

function isIssuerSerial(issuerSerial: Asn1, { issuer, serial }: Certificate): boolean {
  const [names, number] = childrenOf(issuerSerial)
  const directory = names && childrenOf(names).find((name) => isTagged(name, 4))
  const name = directory ? generalName(directory) : null
  const isIssuer = name?.form !== 'directory' || sameName(name.components, issuer)
  return isIssuer && number !== undefined && sameBytes(contentOf(number), serial)
}
