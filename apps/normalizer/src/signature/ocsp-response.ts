import { GeneralizedTime } from 'asn1js'
import {
  AlgorithmIdentifier as PkiAlgorithmIdentifier,
  OCSPResponse,
  ResponseData,
  type SingleResponse,
} from 'pkijs'
import { digestName, newHash } from './algorithm.ts'
import { type AlgorithmIdentifier, algorithmIdentifier } from './algorithm-identifier.ts'
import {
  type Asn1,
  bitStringOctets,
  childAt,
  childrenOf,
  contentOf,
  decoded,
  encodingOf,
  isTagged,
  isUniversal,
  octetsOf,
  parseAsn1,
  type ReadingBudget,
  smallInteger,
} from './asn1.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { MalformedAsn1Error, sameBytes } from './malformed.ts'
import type { Revocation } from './revocation-list.ts'

/** A BasicOCSPResponse (RFC 6960, 4.2.1). */
export interface OcspResponse {
  readonly signedPart: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly certificates: readonly Certificate[]
  readonly responses: readonly CertificateStatus[]
}

/** SingleResponse: what is said of the certificate with these hashes of its issuer and this serial number (4.1.1). */
interface CertificateStatus {
  readonly hashOid: string
  readonly issuerNameHash: Uint8Array
  readonly issuerKeyHash: Uint8Array
  readonly serial: Uint8Array
  readonly status: Revocation | 'good' | 'unknown'
}

const basicResponse = '1.3.6.1.5.5.7.48.1.1'
/** A responder has one, seldom two. */
const maxCertificates = 10
/** Certificates that one response is about: one, or a chain. */
const maxResponses = 100

/** Reads an OCSPResponse or the BasicOCSPResponse inside one. @throws {MalformedAsn1Error} */
export function ocspResponse(encoding: Uint8Array, budget: ReadingBudget): OcspResponse {
  const { value } = parseAsn1(encoding, budget)
  const isBasic = isUniversal(childAt(value, 0), 'sequence')
  const basic = isBasic ? value : basicResponseOf(value, budget)
  // Not by `BasicOCSPResponse`, which a certificate that cannot be read makes unreadable.
  const [data, algorithm, signature, certificates] = childrenOf(basic)
  const { tbsView, responses } = decoded(ResponseData, data)
  return {
    signedPart: tbsView,
    signatureAlgorithm: algorithmIdentifier(decoded(PkiAlgorithmIdentifier, algorithm)),
    signature: bitStringOctets(signature),
    certificates: certificates ? certificatesOf(childAt(certificates, 0)) : [],
    responses: responses.slice(0, maxResponses).map(certificateStatus),
  }
}

/** What it says of the certificate: a revocation, `good`, or null when it says nothing. */
export function statedRevocation(
  { responses }: OcspResponse,
  certificate: Certificate,
  issuer: Certificate,
): Revocation | 'good' | null {
  for (const response of responses) {
    if (response.status === 'unknown' || !isAbout(response, certificate, issuer)) continue
    return response.status
  }
  return null
}

function basicResponseOf(value: Asn1, budget: ReadingBudget): Asn1 {
  const { responseBytes } = decoded(OCSPResponse, value)
  if (responseBytes?.responseType !== basicResponse) {
    throw new MalformedAsn1Error('not a basic OCSP response')
  }
  return parseAsn1(octetsOf(responseBytes.response), budget).value
}

function certificatesOf(list: Asn1): Certificate[] {
  return childrenOf(list)
    .slice(0, maxCertificates)
    .map((value) => parseCertificate(encodingOf(value)))
    .filter((certificate) => certificate !== null)
}

function certificateStatus({ certID, certStatus }: SingleResponse): CertificateStatus {
  const { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } = certID
  return {
    hashOid: hashAlgorithm.algorithmId,
    issuerNameHash: octetsOf(issuerNameHash),
    issuerKeyHash: octetsOf(issuerKeyHash),
    serial: contentOf(serialNumber),
    status: statusOf(certStatus as Asn1),
  }
}

/** CertStatus (4.2.1). */
function statusOf(status: Asn1): CertificateStatus['status'] {
  if (isTagged(status, 0)) return 'good'
  if (!isTagged(status, 1)) return 'unknown'
  const [at, reason] = childrenOf(status)
  if (!(at instanceof GeneralizedTime)) throw new MalformedAsn1Error('not a time')
  return { at: at.toDate(), reason: reason ? smallInteger(childAt(reason, 0)) : null }
}

function isAbout(
  { hashOid, issuerNameHash, issuerKeyHash, serial }: CertificateStatus,
  certificate: Certificate,
  issuer: Certificate,
): boolean {
  const digest = digestName(hashOid)
  if (digest === null || !sameBytes(serial, certificate.serial)) return false
  const hashOf = (octets: Uint8Array): Uint8Array => newHash(digest).update(octets).digest()
  return (
    sameBytes(issuerNameHash, hashOf(certificate.issuerEncoding)) &&
    sameBytes(issuerKeyHash, hashOf(issuer.publicKeyOctets))
  )
}
