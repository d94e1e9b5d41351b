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
import { bitStringOctets, booleanOf, isTime, smallInteger, timeOf } from './asn1-value.ts'
import { type Certificate, type Extensions, extensionsOf } from './certificate.ts'
import { comparableName, sameName } from './distinguished-name.ts'
import { generalName } from './general-name.ts'

/** A certificate revocation list (RFC 5280, 5.1). */
export interface RevocationList {
  readonly issuer: readonly string[]
  readonly thisUpdate: Date
  readonly signedPart: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  /** Its entries may be certificates of other issuers (5.2.5). */
  readonly indirect: boolean
  /** It lists all that is revoked: neither what changed (5.2.4) nor a part (5.2.5). */
  readonly complete: boolean
  /** null when nothing is revoked. */
  readonly entries: Asn1 | null
}

/** What a list or an OCSP response says of a certificate that it has revoked. */
export interface Revocation {
  readonly at: Date
  /** CRLReason (5.3.1); null when none is given. */
  readonly reason: number | null
}

const deltaIndicator = '2.5.29.27'
const issuingDistributionPoint = '2.5.29.28'
const reasonCode = '2.5.29.21'
const certificateIssuer = '2.5.29.29'

/** @throws {MalformedAsn1Error} */
export function revocationList(value: Asn1): RevocationList {
  const signedPart = childAt(value, 0)
  const all = childrenOf(signedPart)
  const [, issuer, thisUpdate, ...optional] = isUniversal(all[0], 'integer') ? all.slice(1) : all
  if (!issuer || !isTime(thisUpdate)) throw new MalformedAsn1Error('not a revocation list')
  const field = optional.find((one) => isTagged(one, 0))
  const extensions: Extensions = field ? extensionsOf(childAt(field, 0)) : new Map()
  return {
    issuer: comparableName(issuer),
    thisUpdate: timeOf(thisUpdate),
    signedPart: signedPart.encoding,
    signatureAlgorithm: algorithmIdentifier(childAt(value, 1)),
    signature: bitStringOctets(childAt(value, 2)),
    indirect: isIndirect(extensions),
    complete: !extensions.has(deltaIndicator) && !extensions.has(issuingDistributionPoint),
    entries: optional.find((one) => isUniversal(one, 'sequence')) ?? null,
  }
}

/** What was looked up, since several signatures may be of one certificate and a list is long. */
const lookedUp = new WeakMap<RevocationList, Map<Certificate, Revocation | null>>()

/** The certificate's entry; null when it is not in the list. @throws {MalformedAsn1Error} */
export function listedRevocation(
  list: RevocationList,
  certificate: Certificate,
): Revocation | null {
  const known = lookedUp.get(list) ?? new Map<Certificate, Revocation | null>()
  const before = known.get(certificate)
  if (before !== undefined) return before
  const found = entryOf(list, certificate)
  lookedUp.set(list, known.set(certificate, found))
  return found
}

function entryOf(
  { entries, issuer, indirect }: RevocationList,
  { serial, issuer: certificateIssuerName }: Certificate,
): Revocation | null {
  // Lists have up to millions of entries, and of hardly any certificate.
  if (!entries || !holds(entries.content, serial)) return null

  let entryIssuer = issuer
  for (const entry of eachChild(entries)) {
    const [number, date, third] = childrenOf(entry)
    const isIt = number !== undefined && sameBytes(number.content, serial)
    if (!isIt && !indirect) continue

    const extensions: Extensions = third ? extensionsOf(third) : new Map()
    entryIssuer = (indirect && statedIssuer(extensions)) || entryIssuer
    if (!isIt || !sameName(entryIssuer, certificateIssuerName)) continue
    const reason = extensions.get(reasonCode)
    return { at: timeOf(date), reason: reason ? smallInteger(parseAsn1(reason.value).value) : null }
  }
  return null
}

function holds({ buffer, byteOffset, byteLength }: Uint8Array, octets: Uint8Array): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(Buffer.from(octets))
}

function isIndirect(extensions: Extensions): boolean {
  const point = extensions.get(issuingDistributionPoint)
  const field = point && childrenOf(parseAsn1(point.value).value).find((one) => isTagged(one, 4))
  return field ? booleanOf(field) : false
}

/** 5.3.3: holds for the entries that follow, too. */
function statedIssuer(extensions: Extensions): readonly string[] | null {
  const extension = extensions.get(certificateIssuer)
  if (!extension) return null
  for (const value of eachChild(parseAsn1(extension.value).value)) {
    const name = generalName(value)
    if (name.form === 'directory') return name.components
  }
  return null
}
