import { type AlgorithmIdentifier, algorithmIdentifier } from './algorithm-identifier.ts'
import {
  type Asn1,
  childAt,
  childrenOf,
  isTagged,
  isUniversal,
  MalformedAsn1Error,
  parseAsn1,
} from './asn1.ts'
import { joinedOctets, octetsOf, oidOf } from './asn1-value.ts'

/** SignedData of RFC 5652, 5.1, with exactly one signer. */
export interface SignedData {
  readonly contentType: string
  /** The content inside; null when it is detached. */
  readonly content: Uint8Array | null
  readonly certificates: readonly Uint8Array[]
  /** RevocationInfoChoices (10.2.1). */
  readonly revocationInfo: readonly Asn1[]
  readonly signer: SignerInfo
}

/** 5.3. */
export interface SignerInfo {
  readonly identifier: SignerIdentifier
  readonly digestAlgorithm: AlgorithmIdentifier
  readonly signedAttributes: {
    /** As in the file, but with the tag of a SET, over which the signature is made (5.4). */
    readonly encoding: Uint8Array
    readonly values: Attributes
  } | null
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly unsignedAttributes: Attributes
}

export type SignerIdentifier =
  | { readonly kind: 'issuer'; readonly issuer: Asn1; readonly serial: Uint8Array }
  | { readonly kind: 'key'; readonly keyIdentifier: Uint8Array }

/** Values by attribute type; several attributes of one type are one list. */
export type Attributes = ReadonlyMap<string, readonly Asn1[]>

const signedDataType = '1.2.840.113549.1.7.2'

/**
 * Reads a ContentInfo with SignedData.
 *
 * @param bytes may be followed by zeros, with which `/Contents` is padded, and by nothing else
 * @throws {MalformedAsn1Error}
 */
export function parseSignedData(bytes: Uint8Array): SignedData {
  return signedDataOf(parsePadded(bytes))
}

/** The one value in the bytes, which zeros may follow and nothing else. @throws {MalformedAsn1Error} */
export function parsePadded(bytes: Uint8Array): Asn1 {
  const { value, length } = parseAsn1(bytes)
  if (bytes.subarray(length).some((byte) => byte !== 0)) {
    throw new MalformedAsn1Error('data after the structure')
  }
  return value
}

/** The same from a ContentInfo that stands inside something else. @throws {MalformedAsn1Error} */
export function signedDataOf(contentInfo: Asn1): SignedData {
  if (oidOf(childAt(contentInfo, 0)) !== signedDataType) {
    throw new MalformedAsn1Error('not SignedData')
  }
  const fields = childrenOf(childAt(childAt(contentInfo, 1), 0))
  const encapsulated = fields[2]
  const certificates = fields.find((field) => isTagged(field, 0))
  const revocationInfo = fields.find((field) => isTagged(field, 1))
  const signers = fields.at(-1)
  if (!isUniversal(encapsulated, 'sequence') || !isUniversal(signers, 'set') || fields.length < 4) {
    throw new MalformedAsn1Error('not SignedData')
  }
  const [signer, another] = childrenOf(signers)
  if (!signer || another) throw new MalformedAsn1Error('not exactly one signer')
  const content = childrenOf(encapsulated)[1]
  return {
    contentType: oidOf(childAt(encapsulated, 0)),
    content: content ? octetsOf(childAt(content, 0)) : null,
    certificates: certificates ? childrenOf(certificates).map(({ encoding }) => encoding) : [],
    revocationInfo: revocationInfo ? childrenOf(revocationInfo) : [],
    signer: signerInfo(signer),
  }
}

/** The first value of an attribute. */
export function attributeValue(attributes: Attributes | undefined, oid: string): Asn1 | undefined {
  return attributes?.get(oid)?.[0]
}

function signerInfo(value: Asn1): SignerInfo {
  const fields = childrenOf(value)
  const signedAttributes = isTagged(fields[3], 0) ? fields[3] : null
  const after = signedAttributes ? 4 : 3
  const unsigned = fields[after + 2]
  return {
    identifier: signerIdentifier(childAt(value, 1)),
    digestAlgorithm: algorithmIdentifier(fields[2]),
    signedAttributes: signedAttributes && {
      encoding: asSet(signedAttributes),
      values: attributesOf(signedAttributes),
    },
    signatureAlgorithm: algorithmIdentifier(fields[after]),
    signature: octetsOf(fields[after + 1]),
    unsignedAttributes: isTagged(unsigned, 1) ? attributesOf(unsigned) : new Map(),
  }
}

function signerIdentifier(value: Asn1): SignerIdentifier {
  if (isTagged(value, 0)) return { kind: 'key', keyIdentifier: keyIdentifier(value) }
  return { kind: 'issuer', issuer: childAt(value, 0), serial: childAt(value, 1).content }
}

/** `[0] IMPLICIT`; some signers write the octet string inside. */
function keyIdentifier(value: Asn1): Uint8Array {
  return value.constructed ? octetsOf(childAt(value, 0)) : joinedOctets(value)
}

function attributesOf(set: Asn1): Attributes {
  const attributes = new Map<string, Asn1[]>()
  for (const attribute of childrenOf(set)) {
    const type = oidOf(childAt(attribute, 0))
    const values = attributes.get(type) ?? []
    for (const value of childrenOf(childAt(attribute, 1))) values.push(value)
    attributes.set(type, values)
  }
  return attributes
}

/**
 * RFC 5652, 5.4: signed is the encoding in DER with a SET OF tag in place of `[0]`. What has a length stays as it stands,
 * since some signers do not sort; what has none is not DER and gets one.
 */
function asSet({ encoding, content }: Asn1): Uint8Array {
  if (encoding[1] === 0x80)
    return Buffer.concat([Buffer.from([0x31]), derLength(content.length), content])
  const copy = new Uint8Array(encoding)
  copy[0] = 0x31
  return copy
}

/** X.690, 8.1.3. */
function derLength(length: number): Uint8Array {
  if (length < 0x80) return Buffer.from([length])
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Buffer.from([0x80 + octets.length, ...octets])
}
