import { AlgorithmIdentifier as PkiAlgorithmIdentifier, Extensions as PkiExtensions } from 'pkijs'
import { type AlgorithmIdentifier, algorithmIdentifier } from './algorithm-identifier.ts'
import {
  bitStringOctets,
  childrenOf,
  contentOf,
  decodedFrom,
  isTagged,
  parseAsn1,
  smallInteger,
} from './asn1.ts'
import { type Certificate, type Extensions, extensionsOf } from './certificate.ts'
import { comparableName, sameName } from './distinguished-name.ts'
import { type EncodedValue, eachValue, tagOctet } from './encoded-value.ts'
import { generalName } from './general-name.ts'
import { MalformedAsn1Error, sameBytes } from './malformed.ts'
import { isTime, timeOf } from './time.ts'

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
  /** One after the other, each in DER; null when nothing is revoked. */
  readonly entries: Uint8Array | null
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

/**
 * Reads a list in DER. Its entries stay where they are: there may be millions, and the library makes objects of all.
 *
 * @throws {MalformedAsn1Error}
 */
export function revocationList(encoding: Uint8Array): RevocationList {
  const [list] = eachValue(encoding)
  const [signedPart, algorithm, signature] = list ? eachValue(list.content) : []
  if (!signedPart || !algorithm || !signature) throw notAList()
  const all = [...eachValue(signedPart.content)]
  const [, issuer, thisUpdate, ...optional] = all[0]?.tag === tagOctet.integer ? all.slice(1) : all
  if (!issuer || !thisUpdate || !isTime(thisUpdate.tag)) throw notAList()
  const field = optional.find(({ tag }) => tag === extensionsTag)
  const extensions = field ? extensionsIn(field.content) : new Map()
  return {
    issuer: comparableName(parseAsn1(issuer.encoding).value),
    thisUpdate: timeOf(thisUpdate.tag, thisUpdate.content),
    signedPart: signedPart.encoding,
    signatureAlgorithm: algorithmIdentifier(
      decodedFrom(PkiAlgorithmIdentifier, algorithm.encoding),
    ),
    signature: bitStringOctets(parseAsn1(signature.encoding).value),
    indirect: isIndirect(extensions),
    complete: !extensions.has(deltaIndicator) && !extensions.has(issuingDistributionPoint),
    entries: optional.find(({ tag }) => tag === tagOctet.sequence)?.content ?? null,
  }
}

/** `[0] EXPLICIT` (5.1.2.7). */
const extensionsTag = 0xa0

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
  if (!entries || !holds(entries, serial)) return null

  let entryIssuer = issuer
  for (const entry of eachValue(entries)) {
    const [number, date, third] = eachValue(entry.content)
    const isIt = number !== undefined && sameBytes(number.content, serial)
    const mayName = indirect && third !== undefined && holds(third.content, certificateIssuerOctets)
    if (!isIt && !mayName) continue

    const extensions: Extensions = third ? extensionsIn(third.encoding) : new Map()
    entryIssuer = (indirect && statedIssuer(extensions)) || entryIssuer
    if (!isIt || !sameName(entryIssuer, certificateIssuerName)) continue
    return revocationAt(date, extensions.get(reasonCode)?.value)
  }
  return null
}

/** The end of its object identifier as it is encoded. */
const certificateIssuerOctets = Uint8Array.of(0x55, 0x1d, 0x1d)

function holds({ buffer, byteOffset, byteLength }: Uint8Array, octets: Uint8Array): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(Buffer.from(octets))
}

function revocationAt(date: EncodedValue | undefined, reason: Uint8Array | undefined): Revocation {
  if (!date) throw notAList()
  return {
    at: timeOf(date.tag, date.content),
    reason: reason ? smallInteger(parseAsn1(reason).value) : null,
  }
}

function extensionsIn(encoding: Uint8Array): Extensions {
  return extensionsOf(decodedFrom(PkiExtensions, encoding).extensions)
}

function isIndirect(extensions: Extensions): boolean {
  const point = extensions.get(issuingDistributionPoint)
  const field = point && childrenOf(parseAsn1(point.value).value).find((one) => isTagged(one, 4))
  return field !== undefined && contentOf(field).some((octet) => octet !== 0)
}

/** 5.3.3: holds for the entries that follow, too. */
function statedIssuer(extensions: Extensions): readonly string[] | null {
  const extension = extensions.get(certificateIssuer)
  if (!extension) return null
  for (const value of childrenOf(parseAsn1(extension.value).value)) {
    const name = generalName(value)
    if (name.form === 'directory') return name.components
  }
  return null
}

function notAList(): MalformedAsn1Error {
  return new MalformedAsn1Error('not a revocation list')
}
