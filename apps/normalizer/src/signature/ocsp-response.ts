import { digestName, newHash } from './algorithm.ts'
import { type AlgorithmIdentifier, algorithmIdentifier } from './algorithm-identifier.ts'
import {
  type Asn1,
  childAt,
  childrenOf,
  eachChild,
  isTagged,
  isUniversal,
  MalformedAsn1Error,
  parseAsn1,
  sameBytes,
} from './asn1.ts'
import { bitStringOctets, octetsOf, oidOf, smallInteger, timeOf } from './asn1-value.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import type { Revocation } from './revocation-list.ts'

/** A BasicOCSPResponse (RFC 6960, 4.2.1). */
export interface OcspResponse {
  readonly signedPart: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly certificates: readonly Certificate[]
  /** SEQUENCE OF SingleResponse. */
  readonly responses: Asn1
}

const basicResponse = '1.3.6.1.5.5.7.48.1.1'
/** A responder has one, seldom two. */
const maxCertificates = 10
/** Certificates that one response is about: one, or a chain. */
const maxResponses = 100

/** Reads an OCSPResponse or the BasicOCSPResponse inside one. @throws {MalformedAsn1Error} */
export function ocspResponse(value: Asn1): OcspResponse {
  const basic = isUniversal(childAt(value, 0), 'sequence') ? value : basicResponseOf(value)
  const [signedPart, algorithm, signature, certificates] = childrenOf(basic)
  if (!signedPart) throw new MalformedAsn1Error('not an OCSP response')
  const responses = childrenOf(signedPart).find((field) => isUniversal(field, 'sequence'))
  if (!responses) throw new MalformedAsn1Error('not an OCSP response')
  return {
    signedPart: signedPart.encoding,
    signatureAlgorithm: algorithmIdentifier(algorithm),
    signature: bitStringOctets(signature),
    certificates: certificates ? certificatesOf(childAt(certificates, 0)) : [],
    responses,
  }
}

/** What it says of the certificate: a revocation, `good`, or null when it says nothing. @throws {MalformedAsn1Error} */
export function statedRevocation(
  { responses }: OcspResponse,
  certificate: Certificate,
  issuer: Certificate,
): Revocation | 'good' | null {
  let looked = 0
  for (const response of eachChild(responses)) {
    if (looked++ === maxResponses) break
    const [identifier, status] = childrenOf(response)
    if (!identifier || !isAbout(identifier, certificate, issuer)) continue
    if (isTagged(status, 0)) return 'good'
    if (!isTagged(status, 1)) continue
    const [at, reason] = childrenOf(status)
    return { at: timeOf(at), reason: reason ? smallInteger(childAt(reason, 0)) : null }
  }
  return null
}

function basicResponseOf(response: Asn1): Asn1 {
  const bytes = childAt(childAt(response, 1), 0)
  if (oidOf(childAt(bytes, 0)) !== basicResponse) {
    throw new MalformedAsn1Error('not a basic OCSP response')
  }
  return parseAsn1(octetsOf(childAt(bytes, 1))).value
}

function certificatesOf(list: Asn1): Certificate[] {
  return childrenOf(list)
    .slice(0, maxCertificates)
    .map(({ encoding }) => parseCertificate(encoding))
    .filter((certificate) => certificate !== null)
}

/** CertID (4.1.1): hashes of the issuer's name and key, and the serial number. */
function isAbout(identifier: Asn1, certificate: Certificate, issuer: Certificate): boolean {
  const [algorithm, nameHash, keyHash, serial] = childrenOf(identifier)
  if (!serial || !sameBytes(serial.content, certificate.serial)) return false
  const digest = digestName(algorithmIdentifier(algorithm).oid)
  if (digest === null) return false
  const hashOf = (octets: Uint8Array): Uint8Array => newHash(digest).update(octets).digest()
  return (
    sameBytes(octetsOf(nameHash), hashOf(certificate.issuerEncoding)) &&
    sameBytes(octetsOf(keyHash), hashOf(issuer.publicKeyOctets))
  )
}
