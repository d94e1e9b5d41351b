import { type AsnType, fromBER, ObjectIdentifier, OctetString } from 'asn1js'
import { sizeOfEncoding } from './encoding-size.ts'

export type Asn1 = AsnType

/** What does not have the structure that its standard gives it. */
export class MalformedAsn1Error extends Error {}

/**
 * Limits for hostile input. The library's own are too small for signatures that carry a large revocation list
 * (trust, 2.4); each value costs it about a kilobyte of memory.
 */
const limits = {
  maxDepth: 100,
  maxNodes: 150_000,
  maxContentLength: 64 * 1024 * 1024,
  parseEmbedded: false,
} as const

/** The first ASN.1 value in the bytes and its length in them. @throws {MalformedAsn1Error} */
export function parseAsn1(bytes: Uint8Array): { value: Asn1; length: number } {
  const { offset, result } = parsed(bytes)
  if (offset === -1) throw new MalformedAsn1Error(result.error)
  return { value: result, length: offset }
}

function parsed(bytes: Uint8Array): ReturnType<typeof fromBER> {
  const { values, depth } = sizeOfEncoding(bytes, limits.maxNodes, limits.maxDepth)
  if (values > limits.maxNodes || depth > limits.maxDepth) {
    throw new MalformedAsn1Error('more values than a signature has')
  }
  try {
    return fromBER(new Uint8Array(bytes), limits)
  } catch (error) {
    throw new MalformedAsn1Error(error instanceof Error ? error.message : String(error))
  }
}

/** The values inside a constructed one, without the end marker of the indefinite form. */
export function childrenOf({ idBlock, valueBlock }: Asn1): Asn1[] {
  if (!idBlock.isConstructed || !('value' in valueBlock)) return []
  const inside: unknown = valueBlock.value
  if (!Array.isArray(inside)) return []
  return (inside as Asn1[]).filter((child) => !isUniversal(child, 0))
}

/** @throws {MalformedAsn1Error} when there are fewer */
export function childAt(value: Asn1 | undefined, index: number): Asn1 {
  const child = value && childrenOf(value)[index]
  if (!child) throw new MalformedAsn1Error('a value is missing')
  return child
}

/** Whether it is the context-specific `[number]`. */
export function isTagged(value: Asn1 | undefined, number: number): value is Asn1 {
  return value?.idBlock.tagClass === 3 && value.idBlock.tagNumber === number
}

/** Whether it is of this universal type (X.680, 8.4): 2 INTEGER, 4 OCTET STRING, 6 OID, 16 SEQUENCE, 17 SET. */
export function isUniversal(value: Asn1 | undefined, number: number): value is Asn1 {
  return value?.idBlock.tagClass === 1 && value.idBlock.tagNumber === number
}

/** Tag, length and content as they stand in the file. */
export function encodingOf(value: Asn1): Uint8Array {
  return value.valueBeforeDecodeView
}

/** @throws {MalformedAsn1Error} */
export function oidOf(value: Asn1 | undefined): string {
  if (!(value instanceof ObjectIdentifier)) throw new MalformedAsn1Error('not an object identifier')
  return value.getValue()
}

/** @throws {MalformedAsn1Error} */
export function octetsOf(value: Asn1 | undefined): Uint8Array {
  if (!(value instanceof OctetString)) throw new MalformedAsn1Error('not an octet string')
  return new Uint8Array(value.getValue())
}

/** The content bytes of a primitive value such as an integer. */
export function contentOf(value: Asn1): Uint8Array {
  const encoding = encodingOf(value)
  return encoding.subarray(encoding.length - value.lenBlock.length)
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
