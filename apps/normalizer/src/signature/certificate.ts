import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import {
  type Asn1,
  childAt,
  childrenOf,
  isTagged,
  isUniversal,
  MalformedAsn1Error,
  parseAsn1,
  unlessMalformed,
} from './asn1.ts'
import { bitStringOctets, booleanOf, octetsOf, oidOf, timeOf } from './asn1-value.ts'
import { comparableName, distinguishedName } from './distinguished-name.ts'
import { type AlgorithmIdentifier, algorithmIdentifier } from './algorithm-identifier.ts'

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
export function parseCertificate(encoding: Uint8Array): Certificate | null {
  return unlessMalformed(() => certificateOf(parseAsn1(encoding).value))
}

/** SHA-1 over the key: what most authorities identify keys by (RFC 5280, 4.2.1.2). */
export function keyHash({ publicKeyOctets }: Certificate): Uint8Array {
  return createHash('sha1').update(publicKeyOctets).digest()
}

/** `Extensions` of certificates, of revocation lists and of their entries (RFC 5280, 4.1). @throws {MalformedAsn1Error} */
export function extensionsOf(list: Asn1): Extensions {
  const extensions = new Map<string, Extension>()
  for (const extension of childrenOf(list)) {
    const [identifier, second, third] = childrenOf(extension)
    const critical = isUniversal(second, 'boolean') ? booleanOf(second) : false
    const oid = oidOf(identifier)
    if (extensions.has(oid)) throw new MalformedAsn1Error('an extension stands there twice')
    extensions.set(oid, { critical, value: octetsOf(third ?? second) })
  }
  return extensions
}

/** RFC 5280, appendix A.1, gives each attribute 64 characters; this is for names that go into reports and messages. */
const maxNameOctets = 16 * 1024

function certificateOf(value: Asn1): Certificate {
  const signedPart = childAt(value, 0)
  const all = childrenOf(signedPart)
  const versionField = isTagged(all[0], 0) ? all[0] : null
  const [serial, , issuer, validity, subject, keyInfo, ...optional] = versionField
    ? all.slice(1)
    : all
  if (!isUniversal(serial, 'integer') || !issuer || !subject || !keyInfo) {
    throw new MalformedAsn1Error('not a certificate')
  }
  if (subject.encoding.length > maxNameOctets || issuer.encoding.length > maxNameOctets) {
    throw new MalformedAsn1Error('a name is too long')
  }
  const extensions = optional.find((field) => isTagged(field, 3))
  let key: KeyObject | null | undefined
  return {
    encoding: value.encoding,
    signedPart: signedPart.encoding,
    signatureAlgorithm: algorithmIdentifier(childAt(value, 1)),
    signature: bitStringOctets(childAt(value, 2)),
    version: versionField ? (childAt(versionField, 0).content[0] ?? 0) + 1 : 1,
    subjectText: distinguishedName(subject),
    subject: comparableName(subject),
    issuer: comparableName(issuer),
    issuerEncoding: issuer.encoding,
    serial: serial.content,
    notBefore: timeOf(childAt(validity, 0)),
    notAfter: timeOf(childAt(validity, 1)),
    // Most certificates of a document are never asked for their keys.
    get publicKey() {
      if (key === undefined) key = publicKeyOf(keyInfo.encoding)
      return key
    },
    publicKeyOctets: bitStringOctets(childAt(keyInfo, 1)),
    extensions: extensions ? extensionsOf(childAt(extensions, 0)) : new Map(),
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
