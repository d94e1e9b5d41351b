import {
  type Asn1,
  childAt,
  childrenOf,
  contentOf,
  encodingOf,
  isTagged,
  isUniversal,
  MalformedAsn1Error,
  octetsOf,
  oidOf,
  parseAsn1,
  sameBytes,
} from './asn1.ts'
import { type Certificate, parseCertificate } from './certificate.ts'

/** SignedData of RFC 5652, 5.1, with exactly one signer. */
export interface SignedData {
  readonly contentType: string
  /** The content inside; null when it is detached. */
  readonly content: Uint8Array | null
  readonly certificates: readonly Uint8Array[]
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

type SignerIdentifier =
  | { readonly kind: 'issuer'; readonly issuer: Uint8Array; readonly serial: Uint8Array }
  | { readonly kind: 'key'; readonly keyIdentifier: Uint8Array }

export interface AlgorithmIdentifier {
  readonly oid: string
  readonly parameters: Asn1 | null
  readonly encoding: Uint8Array
}

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
  const { value, length } = parseAsn1(bytes)
  if (bytes.subarray(length).some((byte) => byte !== 0)) {
    throw new MalformedAsn1Error('data after the structure')
  }
  return signedDataOf(value)
}

/** The same from a ContentInfo that stands inside something else. @throws {MalformedAsn1Error} */
export function signedDataOf(contentInfo: Asn1): SignedData {
  if (oidOf(childAt(contentInfo, 0)) !== signedDataType) {
    throw new MalformedAsn1Error('not SignedData')
  }
  const fields = childrenOf(childAt(childAt(contentInfo, 1), 0))
  const encapsulated = fields[2]
  const certificates = fields.find((field) => isTagged(field, 0))
  const signers = fields.at(-1)
  if (!isUniversal(encapsulated, 16) || !isUniversal(signers, 17) || fields.length < 4) {
    throw new MalformedAsn1Error('not SignedData')
  }
  const [signer, another] = childrenOf(signers)
  if (!signer || another) throw new MalformedAsn1Error('not exactly one signer')
  const content = childrenOf(encapsulated)[1]
  return {
    contentType: oidOf(childAt(encapsulated, 0)),
    content: content ? octetsOf(childAt(content, 0)) : null,
    certificates: certificates ? childrenOf(certificates).map(encodingOf) : [],
    signer: signerInfo(signer),
  }
}

/** The certificate that the signer info names; null when it is not among them. */
export function signerCertificate(data: SignedData): Certificate | null {
  for (const encoding of data.certificates) {
    const certificate = parseCertificate(encoding)
    if (certificate && isNamed(certificate, data.signer.identifier)) return certificate
  }
  return null
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
      encoding: asSet(encodingOf(signedAttributes)),
      values: attributesOf(signedAttributes),
    },
    signatureAlgorithm: algorithmIdentifier(fields[after]),
    signature: octetsOf(fields[after + 1]),
    unsignedAttributes: isTagged(unsigned, 1) ? attributesOf(unsigned) : new Map(),
  }
}

function signerIdentifier(value: Asn1): SignerIdentifier {
  if (isTagged(value, 0)) {
    const [nested] = childrenOf(value)
    return { kind: 'key', keyIdentifier: nested ? octetsOf(nested) : contentOf(value) }
  }
  return {
    kind: 'issuer',
    issuer: encodingOf(childAt(value, 0)),
    serial: contentOf(childAt(value, 1)),
  }
}

/** AlgorithmIdentifier of RFC 5280, 4.1.1.2. @throws {MalformedAsn1Error} */
export function algorithmIdentifier(value: Asn1 | undefined): AlgorithmIdentifier {
  const parameters = value && childrenOf(value)[1]
  return {
    oid: oidOf(childAt(value, 0)),
    parameters: parameters ?? null,
    encoding: value ? encodingOf(value) : new Uint8Array(),
  }
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

/** RFC 5652, 5.4: signed is the encoding with a SET OF tag in place of `[0]`; nothing else may change. */
function asSet(encoding: Uint8Array): Uint8Array {
  const copy = new Uint8Array(encoding)
  copy[0] = 0x31
  return copy
}

function isNamed(certificate: Certificate, identifier: SignerIdentifier): boolean {
  if (identifier.kind === 'issuer') {
    return (
      sameBytes(certificate.serial, identifier.serial) &&
      sameBytes(certificate.issuer, identifier.issuer)
    )
  }
  const { subjectKeyIdentifier } = certificate
  return subjectKeyIdentifier !== null && sameBytes(subjectKeyIdentifier, identifier.keyIdentifier)
}
