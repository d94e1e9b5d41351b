/**
 * A value in BER or DER (X.690), read where it stands: nothing inside it is looked at before it is asked for, so a
 * revocation list of a million entries costs nothing until one goes through it.
 */
export interface Asn1 {
  readonly tagClass: TagClass
  readonly tagNumber: number
  readonly constructed: boolean
  /** Tag, length and content as they stand in the file. */
  readonly encoding: Uint8Array
  /** Without the end marker of the indefinite form. */
  readonly content: Uint8Array
}

type TagClass = 'universal' | 'application' | 'context' | 'private'

/** X.680, 8.4. */
export const universalTag = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  objectIdentifier: 6,
  utf8String: 12,
  sequence: 16,
  set: 17,
  utcTime: 23,
  generalizedTime: 24,
} as const

/** What does not have the structure that its standard gives it. */
export class MalformedAsn1Error extends Error {}

/** Values of the indefinite form within each other; signatures have four or five. */
const maxOpenValues = 50

/** Children of one value that are put in a list; {@link eachChild} goes through any number. */
const maxListedChildren = 100_000

/** The first value in the bytes and its length in them. @throws {MalformedAsn1Error} */
export function parseAsn1(bytes: Uint8Array): { value: Asn1; length: number } {
  const value = valueAt(bytes, 0)
  return { value, length: value.encoding.length }
}

/** The values inside a constructed one; none for a primitive one. @throws {MalformedAsn1Error} */
export function* eachChild({ constructed, content }: Asn1): Generator<Asn1> {
  if (!constructed) return
  for (let at = 0; at < content.length;) {
    const child = valueAt(content, at)
    yield child
    at += child.encoding.length
  }
}

/** @throws {MalformedAsn1Error} */
export function childrenOf(value: Asn1): Asn1[] {
  const children: Asn1[] = []
  for (const child of eachChild(value)) {
    if (children.length === maxListedChildren) throw new MalformedAsn1Error('too many values')
    children.push(child)
  }
  return children
}

/** @throws {MalformedAsn1Error} when there are fewer */
export function childAt(value: Asn1 | undefined, index: number): Asn1 {
  let skipped = 0
  if (value) for (const child of eachChild(value)) if (skipped++ === index) return child
  throw new MalformedAsn1Error('a value is missing')
}

/** Whether it is the context-specific `[number]`. */
export function isTagged(value: Asn1 | undefined, number: number): value is Asn1 {
  return value?.tagClass === 'context' && value.tagNumber === number
}

export function isUniversal(
  value: Asn1 | undefined,
  tag: keyof typeof universalTag,
): value is Asn1 {
  return value?.tagClass === 'universal' && value.tagNumber === universalTag[tag]
}

/** What `read` gives; null when that is malformed, and so says nothing. */
export function unlessMalformed<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedAsn1Error) return null
    throw error
  }
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

function valueAt(bytes: Uint8Array, start: number): Asn1 {
  const { tag, tagNumber, contentStart, length } = headerAt(bytes, start)
  const contentEnd = length === null ? endOfOpenValue(bytes, contentStart) : contentStart + length
  const end = length === null ? contentEnd + 2 : contentEnd
  if (end > bytes.length) throw new MalformedAsn1Error('a value is cut off')
  return {
    tagClass: tagClasses[tag >> 6] ?? 'universal',
    tagNumber,
    constructed: (tag & 0x20) !== 0,
    encoding: bytes.subarray(start, end),
    content: bytes.subarray(contentStart, contentEnd),
  }
}

const tagClasses = ['universal', 'application', 'context', 'private'] as const

interface Header {
  readonly tag: number
  readonly tagNumber: number
  readonly contentStart: number
  /** null: the indefinite form (X.690, 8.1.3.6). */
  readonly length: number | null
}

function headerAt(bytes: Uint8Array, start: number): Header {
  const tag = octetAt(bytes, start)
  let at = start + 1
  let tagNumber = tag & 0x1f
  if (tagNumber === 0x1f) {
    // 8.1.2.4: the number goes on while the highest bit is set.
    tagNumber = 0
    for (let more = true; more; at++) {
      const octet = octetAt(bytes, at)
      tagNumber = tagNumber * 128 + (octet & 0x7f)
      more = (octet & 0x80) !== 0
      if (tagNumber > 2 ** 31) throw new MalformedAsn1Error('a tag is too large')
    }
  }

  const first = octetAt(bytes, at++)
  if (first < 0x80) return { tag, tagNumber, contentStart: at, length: first }
  if (first === 0x80) {
    if ((tag & 0x20) === 0) throw new MalformedAsn1Error('a primitive value of no definite length')
    return { tag, tagNumber, contentStart: at, length: null }
  }
  let length = 0
  for (let octets = first & 0x7f; octets > 0; octets--) {
    length = length * 256 + octetAt(bytes, at++)
    if (length > bytes.length) throw new MalformedAsn1Error('a value is cut off')
  }
  return { tag, tagNumber, contentStart: at, length }
}

function octetAt(bytes: Uint8Array, at: number): number {
  const octet = bytes[at]
  if (octet === undefined) throw new MalformedAsn1Error('a value is cut off')
  return octet
}

/** Where the end marker of a value of the indefinite form stands (8.1.5). */
function endOfOpenValue(bytes: Uint8Array, start: number): number {
  let open = 1
  for (let at = start; ;) {
    const { tag, contentStart, length } = headerAt(bytes, at)
    if (tag === 0 && length === 0) {
      if (--open === 0) return at
      at = contentStart
      continue
    }
    if (length === null && ++open > maxOpenValues) throw new MalformedAsn1Error('nested too deep')
    at = contentStart + (length ?? 0)
  }
}
