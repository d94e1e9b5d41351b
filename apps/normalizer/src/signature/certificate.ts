import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { Certificate as PkiCertificate, type Extension as PkiExtension } from 'pkijs'
import { type AlgorithmIdentifier, algorithmIdentifier } from './algorithm-identifier.ts'
import {
  bitStringOctets,
  childAt,
  childrenOf,
  contentOf,
  decoded,
  encodingOf,
  isTagged,
  octetsOf,
  parseAsn1,
  type ReadingBudget,
} from './asn1.ts'
import { comparableName, distinguishedName } from './distinguished-name.ts'
import { MalformedAsn1Error, unlessMalformed } from './malformed.ts'

/** An X.509 certificate (RFC 5280, 4.1). */
export interface Certificate {
  readonly encoding: Uint8Array
  /** What the issuer signed. */
  readonly signedPart: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  /** 1 to 3. */
  readonly version: number
  /** RFC 4514. */
  readonly subjectText: string
  /** Comparable, see `sameName`. */
  readonly subject: readonly string[]
  readonly issuer: readonly string[]
  /** DER of the issuer's name. */
  readonly issuerEncoding: Uint8Array
  /** Content octets of the serial number. */
  readonly serial: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  /** null when the key's algorithm or parameters are not known here. */
  readonly publicKey: KeyObject | null
  /** The key without its algorithm, as identifiers of keys hash it. */
  readonly publicKeyOctets: Uint8Array
  readonly extensions: Extensions
}

/** By object identifier. @see certificate-extension.ts for what they mean */
export type Extensions = ReadonlyMap<string, Extension>

export interface Extension {
  readonly critical: boolean
  readonly value: Uint8Array
}

/** null when it is not a certificate. */
export function parseCertificate(
  encoding: Uint8Array,
  budget: ReadingBudget | null = null,
): Certificate | null {
  return unlessMalformed(() => certificateOf(encoding, budget))
}

/** SHA-1 over the key: what most authorities identify keys by (RFC 5280, 4.2.1.2). */
export function keyHash({ publicKeyOctets }: Certificate): Uint8Array {
  return createHash('sha1').update(publicKeyOctets).digest()
}

/** `Extensions` of certificates, of revocation lists and of their entries (RFC 5280, 4.1). @throws {MalformedAsn1Error} */
export function extensionsOf(list: readonly PkiExtension[]): Extensions {
  const extensions = new Map<string, Extension>()
  for (const { extnID, critical, extnValue } of list) {
    if (extensions.has(extnID)) throw new MalformedAsn1Error('an extension stands there twice')
    extensions.set(extnID, { critical, value: octetsOf(extnValue) })
  }
  return extensions
}

/** RFC 5280, appendix A.1, gives each attribute 64 characters; this is for names that go into reports and messages. */
const maxNameOctets = 16 * 1024

function certificateOf(encoding: Uint8Array, budget: ReadingBudget | null): Certificate {
  const { value } = parseAsn1(encoding, budget)
  const parsed = decoded(PkiCertificate, value)
  // The library keeps of names which attributes they have, and not which stand together.
  const fields = childrenOf(childAt(value, 0)).filter((field) => !isTagged(field, 0))
  const [, , issuer, , subject, keyInfo] = fields
  if (!issuer || !subject || !keyInfo) throw new MalformedAsn1Error('not a certificate')
  const [issuerEncoding, subjectEncoding] = [encodingOf(issuer), encodingOf(subject)]
  if (subjectEncoding.length > maxNameOctets || issuerEncoding.length > maxNameOctets) {
    throw new MalformedAsn1Error('a name is too long')
  }
  const keyEncoding = encodingOf(keyInfo)
  let key: KeyObject | null | undefined
  return {
    encoding: encodingOf(value),
    signedPart: parsed.tbsView,
    signatureAlgorithm: algorithmIdentifier(parsed.signatureAlgorithm),
    signature: bitStringOctets(parsed.signatureValue),
    version: parsed.version + 1,
    // Only of signers.
    get subjectText() {
      return distinguishedName(parseAsn1(subjectEncoding).value)
    },
    subject: comparableName(subject),
    issuer: comparableName(issuer),
    issuerEncoding,
    serial: contentOf(parsed.serialNumber),
    notBefore: parsed.notBefore.value,
    notAfter: parsed.notAfter.value,
    // Most certificates of a document are never asked for their keys.
    get publicKey() {
      if (key === undefined) key = publicKeyOf(keyEncoding)
      return key
    },
    publicKeyOctets: bitStringOctets(parsed.subjectPublicKeyInfo.subjectPublicKey),
    extensions: extensionsOf(parsed.extensions ?? []),
  }
}

function publicKeyOf(subjectPublicKeyInfo: Uint8Array): KeyObject | null {
  try {
    const key = createPublicKey({
      key: Buffer.from(subjectPublicKeyInfo),
      format: 'der',
      type: 'spki',
    })
    // RFC 5480, 2.1.1: a curve is named, never described.
    const isUnnamedCurve =
      key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === undefined
    return isUnnamedCurve ? null : key
  } catch {
    // node:crypto knows many faults of keys, and neither tells nor needs to be asked which.
    return null
  }
}
