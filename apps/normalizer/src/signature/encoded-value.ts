import { MalformedAsn1Error } from './malformed.ts'

/** A value in DER (X.690), read where it stands: nothing inside it is looked at. */
export interface EncodedValue {
  /** Its first octet (8.1.2). */
  readonly tag: number
  /** Tag, length and content as they stand in the file. */
  readonly encoding: Uint8Array
  readonly content: Uint8Array
}

/** First octets of universal types (X.680, 8.4). */
export const tagOctet = {
  integer: 0x02,
  octetString: 0x04,
  objectIdentifier: 0x06,
  relativeIdentifier: 0x0d,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
} as const

/** The values that stand one after the other, each of a definite length. @throws {MalformedAsn1Error} */
export function* eachValue(bytes: Uint8Array): Generator<EncodedValue> {
  for (let at = 0; at < bytes.length;) {
    const { tag, contentStart, length } = headerAt(bytes, at)
    const end = contentStart + (length ?? Infinity)
    if (end > bytes.length) throw new MalformedAsn1Error('a value is cut off')
    const [encoding, content] = [bytes.subarray(at, end), bytes.subarray(contentStart, end)]
    yield { tag, encoding, content }
    at = end
  }
}

interface Header {
  readonly tag: number
  readonly contentStart: number
  /** null: the indefinite form (8.1.3.6). */
  readonly length: number | null
}

/** @throws {MalformedAsn1Error} */
export function headerAt(bytes: Uint8Array, start: number): Header {
  const tag = octetAt(bytes, start)
  let at = start + 1
  // 8.1.2.4: a tag number above 30 goes on while the highest bit is set.
  if ((tag & 0x1f) === 0x1f) while ((octetAt(bytes, at++) & 0x80) !== 0);

  const first = octetAt(bytes, at++)
  if (first < 0x80) return { tag, contentStart: at, length: first }
  if (first === 0x80) {
    if ((tag & 0x20) === 0) throw new MalformedAsn1Error('a primitive value of no definite length')
    return { tag, contentStart: at, length: null }
  }
  let length = 0
  for (let octets = first & 0x7f; octets > 0; octets--) {
    length = length * 256 + octetAt(bytes, at++)
    if (length > bytes.length) throw new MalformedAsn1Error('a value is cut off')
  }
  return { tag, contentStart: at, length }
}

function octetAt(bytes: Uint8Array, at: number): number {
  const octet = bytes[at]
  if (octet === undefined) throw new MalformedAsn1Error('a value is cut off')
  return octet
}
