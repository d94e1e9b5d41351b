import { type AsnType, BitString, fromBER, ObjectIdentifier, OctetString } from 'asn1js'
import { closedValues } from './closed-values.ts'
import { tagOctet } from './encoded-value.ts'
import { MalformedAsn1Error } from './malformed.ts'

/** A value with all that is in it, as the library builds it: for reading at once, never for keeping. */
export type Asn1 = AsnType

/**
 * What the library may read in one go. It makes an object of about a kilobyte for each value and each number in an object
 * identifier; signatures with all that long-term validation adds have some thousand.
 */
const limits = {
  maxDepth: 50,
  maxNodes: 50_000,
  maxContentLength: 64 * 1024 * 1024,
  // What stands in an octet string is read by those who know what it is.
  parseEmbedded: false,
  copyInput: false,
} as const

/** How many values the library may still read for one document; each takes some microseconds. */
export interface ReadingBudget {
  remaining: number
}

/**
 * The first value in the bytes and its length in them. What `closedValues` finds stands there as an octet string: a value
 * of which only the encoding is known.
 *
 * @param budget for bytes of which a document can bring many; what stands in others that were read needs none
 * @throws {MalformedAsn1Error} also when the budget is used up
 */
export function parseAsn1(
  bytes: Uint8Array,
  budget: ReadingBudget | null = null,
): { value: Asn1; length: number } {
  const { closed, openValues } = closedValues(bytes, limits.maxNodes, limits.maxDepth)
  if (budget && (budget.remaining -= openValues) < 0) {
    throw new MalformedAsn1Error('more values than a document has')
  }
  if (closed.length === 0) return parsed(bytes)

  const copy = new Uint8Array(bytes)
  for (const at of closed) copy[at] = tagOctet.octetString
  const result = parsed(copy)
  // The library gives views of the copy: with the tags in their places, all encodings are those of the file.
  for (const at of closed) copy[at] = bytes[at] ?? 0
  return result
}

function parsed(bytes: Uint8Array): { value: Asn1; length: number } {
  // The library is faster with what is no Buffer.
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { offset, result } = malformedWhenThrown(() => fromBER(view, limits))
  if (offset === -1) throw new MalformedAsn1Error(result.error)
  return { value: result, length: offset }
}

/** What a class of pkijs makes of a value. @throws {MalformedAsn1Error} when that does not fit its schema */
export function decoded<T>(type: new (from: { schema: Asn1 }) => T, value: Asn1 | undefined): T {
  if (!value) throw new MalformedAsn1Error('a value is missing')
  return malformedWhenThrown(() => new type({ schema: value }))
}

/** The same of an encoding. @throws {MalformedAsn1Error} */
export function decodedFrom<T>(type: new (from: { schema: Asn1 }) => T, encoding: Uint8Array): T {
  return decoded(type, parseAsn1(encoding).value)
}

/** The libraries throw errors of their own and of JavaScript for what does not fit. */
function malformedWhenThrown<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new MalformedAsn1Error(error instanceof Error ? error.message : String(error))
  }
}

/** The values inside a constructed one; none for a primitive one. */
export function childrenOf({ idBlock, valueBlock }: Asn1): Asn1[] {
  if (!idBlock.isConstructed || !('value' in valueBlock)) return []
  const inside: unknown = valueBlock.value
  return Array.isArray(inside) ? (inside as Asn1[]) : []
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

const universalTag = { boolean: 1, sequence: 16, set: 17 } as const

export function isUniversal(
  value: Asn1 | undefined,
  tag: keyof typeof universalTag,
): value is Asn1 {
  return value?.idBlock.tagClass === 1 && value.idBlock.tagNumber === universalTag[tag]
}

/** Tag, length and content as they stand in the file. */
export function encodingOf(value: Asn1): Uint8Array {
  return value.valueBeforeDecodeView
}

/** The content of a primitive value as it stands in the file. */
export function contentOf(value: Asn1): Uint8Array {
  const encoding = encodingOf(value)
  return encoding.subarray(encoding.length - value.lenBlock.length)
}

/** An object identifier as numbers joined by dots. @throws {MalformedAsn1Error} */
export function oidOf(value: Asn1 | undefined): string {
  if (!(value instanceof ObjectIdentifier)) throw new MalformedAsn1Error('not an object identifier')
  return value.getValue()
}

/** The octets of an OCTET STRING, also of one in parts (X.690, 8.7.3). @throws {MalformedAsn1Error} */
export function octetsOf(value: Asn1 | undefined): Uint8Array {
  // One that is closed looks like one, and is none.
  if (!(value instanceof OctetString) || ((encodingOf(value)[0] ?? 0) & 0xdf) !== 0x04) {
    throw new MalformedAsn1Error('not an octet string')
  }
  return value.idBlock.isConstructed ? new Uint8Array(value.getValue()) : contentOf(value)
}

/** The octets of a BIT STRING without spare bits, such as a key or a signature (8.6). @throws {MalformedAsn1Error} */
export function bitStringOctets(value: Asn1 | undefined): Uint8Array {
  if (!(value instanceof BitString) || value.idBlock.isConstructed || contentOf(value)[0] !== 0) {
    throw new MalformedAsn1Error('not a bit string of whole octets')
  }
  return contentOf(value).subarray(1)
}

/** A small INTEGER; its tag may be replaced by another. @throws {MalformedAsn1Error} when it is negative or large */
export function smallInteger(value: Asn1): number {
  const content = value.idBlock.isConstructed ? new Uint8Array() : contentOf(value)
  const significant = content.subarray(Math.max(0, content.length - 6))
  const isSmall = content
    .subarray(0, content.length - significant.length)
    .every((octet) => octet === 0)
  if (content.length === 0 || !isSmall || (content[0] ?? 0) >= 0x80) {
    throw new MalformedAsn1Error('not a small number')
  }
  return significant.reduce((number, octet) => number * 256 + octet, 0)
}

/** The numbers of the bits that are set in a BIT STRING of flags, among the first 32. @throws {MalformedAsn1Error} */
export function namedBits(value: Asn1): ReadonlySet<number> {
  const [unused, ...octets] = contentOf(value).subarray(0, 5)
  if (value.idBlock.isConstructed || unused === undefined || unused > 7) {
    throw new MalformedAsn1Error('not a bit string')
  }
  const bits = octets.flatMap((octet, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7]
      .filter((bit) => (octet & (0x80 >> bit)) !== 0)
      .map((bit) => index * 8 + bit),
  )
  return new Set(bits)
}
