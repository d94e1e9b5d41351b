import {
  AlgorithmIdentifier as PkiAlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
} from 'pkijs'
import { type AlgorithmIdentifier, algorithmIdentifier } from './algorithm-identifier.ts'
import {
  type Asn1,
  childAt,
  childrenOf,
  contentOf,
  decoded,
  encodingOf,
  isTagged,
  isUniversal,
  octetsOf,
  oidOf,
  parseAsn1,
  type ReadingBudget,
} from './asn1.ts'
import { comparableName } from './distinguished-name.ts'
import { MalformedAsn1Error } from './malformed.ts'

/** SignedData of RFC 5652, 5.1, with exactly one signer. */
export interface SignedData {
  readonly contentType: string
  /** The content inside; null when it is detached. */
  readonly content: Uint8Array | null
  readonly certificates: readonly Uint8Array[]
  /** Of its RevocationInfoChoices (10.2.1; RFC 5940). */
  readonly revocationLists: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
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
  | { readonly kind: 'issuer'; readonly issuer: readonly string[]; readonly serial: Uint8Array }
  | { readonly kind: 'key'; readonly keyIdentifier: Uint8Array }

/** Encodings of values by attribute type; several attributes of one type are one list. */
export type Attributes = ReadonlyMap<string, readonly Uint8Array[]>

const signedDataType = '1.2.840.113549.1.7.2'

/**
 * Reads a ContentInfo with SignedData. What `SignedData` of pkijs reads at once, with each certificate and list in it, is
 * read one by one: a certificate that cannot be read, or a long list, does not make the signature unreadable.
 *
 * @param bytes may be followed by zeros, with which `/Contents` is padded, and by nothing else
 * @throws {MalformedAsn1Error}
 */
export function parseSignedData(bytes: Uint8Array, budget: ReadingBudget): SignedData {
  const { content, certificates, choices, signers } = signedDataFields(parsePadded(bytes, budget))
  const [signer, another] = childrenOf(signers)
  if (!signer || another) throw new MalformedAsn1Error('not exactly one signer')
  const { eContentType, eContent } = decoded(EncapsulatedContentInfo, content)
  return {
    contentType: eContentType,
    content: eContent ? octetsOf(eContent) : null,
    certificates: certificates ? childrenOf(certificates).map(encodingOf) : [],
    ...revocationInfo(choices ? childrenOf(choices) : []),
    signer: signerInfo(signer),
  }
}

/**
 * How many have signed, and whether any certificate stands beside the signatures. Neither is looked into.
 *
 * @param bytes may be followed by anything
 * @throws {MalformedAsn1Error} when they are no ContentInfo with SignedData
 */
export function signedDataOutline(
  bytes: Uint8Array,
  budget: ReadingBudget,
): { readonly signers: number; readonly hasCertificates: boolean } {
  const { certificates, signers } = signedDataFields(parseAsn1(bytes, budget).value)
  return {
    signers: childrenOf(signers).length,
    // Tag and length are what every value has; an open one ends with two octets more.
    hasCertificates: certificates !== undefined && encodingOf(certificates).length > 4,
  }
}

/** RFC 5652, 5.1. @throws {MalformedAsn1Error} */
function signedDataFields(value: Asn1): {
  readonly content: Asn1 | undefined
  readonly certificates: Asn1 | undefined
  readonly choices: Asn1 | undefined
  readonly signers: Asn1
} {
  const info = decoded(ContentInfo, value)
  if (info.contentType !== signedDataType) throw new MalformedAsn1Error('not SignedData')
  const fields = childrenOf(info.content as Asn1)
  const signers = fields.at(-1)
  if (!isUniversal(signers, 'set') || fields.length < 4) {
    throw new MalformedAsn1Error('not SignedData')
  }
  return {
    content: fields[2],
    certificates: fields.find((field) => isTagged(field, 0)),
    choices: fields.find((field) => isTagged(field, 1)),
    signers,
  }
}

/** The one value in the bytes, which zeros may follow and nothing else. @throws {MalformedAsn1Error} */
export function parsePadded(bytes: Uint8Array, budget: ReadingBudget): Asn1 {
  const { value, length } = parseAsn1(bytes, budget)
  if (bytes.subarray(length).some((byte) => byte !== 0)) {
    throw new MalformedAsn1Error('data after the structure')
  }
  return value
}

/** The first value of an attribute. */
export function attributeValue(
  attributes: Attributes | undefined,
  oid: string,
): Uint8Array | undefined {
  return attributes?.get(oid)?.[0]
}

const ocspFormat = '1.3.6.1.5.5.7.16.2'

function revocationInfo(
  choices: readonly Asn1[],
): Pick<SignedData, 'revocationLists' | 'ocspResponses'> {
  const others = choices.filter((choice) => isTagged(choice, 1)).map(childrenOf)
  return {
    revocationLists: choices.filter((choice) => isUniversal(choice, 'sequence')).map(encodingOf),
    ocspResponses: others.flatMap(([format, info]) =>
      format && info && oidOf(format) === ocspFormat ? [encodingOf(info)] : [],
    ),
  }
}

/** Not by `SignerInfo` of pkijs, which does not know a signature in parts, as BER allows. */
function signerInfo(value: Asn1): SignerInfo {
  const fields = childrenOf(value)
  const signed = isTagged(fields[3], 0) ? fields[3] : null
  const after = signed ? 4 : 3
  const unsigned = fields[after + 2]
  return {
    identifier: signerIdentifier(childAt(value, 1)),
    digestAlgorithm: algorithmIdentifier(decoded(PkiAlgorithmIdentifier, fields[2])),
    signedAttributes: signed && {
      encoding: asSet(encodingOf(signed)),
      values: attributesOf(signed),
    },
    signatureAlgorithm: algorithmIdentifier(decoded(PkiAlgorithmIdentifier, fields[after])),
    signature: octetsOf(fields[after + 1]),
    unsignedAttributes: isTagged(unsigned, 1) ? attributesOf(unsigned) : new Map(),
  }
}

function signerIdentifier(value: Asn1): SignerIdentifier {
  // `[0] IMPLICIT`; some signers write the octet string inside.
  if (isTagged(value, 0)) {
    const { isConstructed } = value.idBlock
    return {
      kind: 'key',
      keyIdentifier: isConstructed ? octetsOf(childAt(value, 0)) : contentOf(value),
    }
  }
  const { serialNumber } = decoded(IssuerAndSerialNumber, value)
  return {
    kind: 'issuer',
    issuer: comparableName(childAt(value, 0)),
    serial: contentOf(serialNumber),
  }
}

function attributesOf(set: Asn1): Attributes {
  const attributes = new Map<string, Uint8Array[]>()
  for (const child of childrenOf(set)) {
    const { type, values } = decoded(Attribute, child)
    const known = attributes.get(type) ?? []
    // Without any value, the library leaves the list out.
    for (const value of (values as Asn1[] | undefined) ?? []) known.push(encodingOf(value))
    attributes.set(type, known)
  }
  return attributes
}

/**
 * RFC 5652, 5.4: signed is the encoding in DER with a SET OF tag in place of `[0]`. What has a length stays as it stands,
 * since some signers do not sort; what has none is not DER and gets one.
 */
function asSet(encoding: Uint8Array): Uint8Array {
  if (encoding[1] !== 0x80) return Buffer.concat([Buffer.from([0x31]), encoding.subarray(1)])
  const content = encoding.subarray(2, -2)
  return Buffer.concat([Buffer.from([0x31]), derLength(content.length), content])
}

/** X.690, 8.1.3. */
function derLength(length: number): Uint8Array {
  if (length < 0x80) return Buffer.from([length])
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Buffer.from([0x80 + octets.length, ...octets])
}
