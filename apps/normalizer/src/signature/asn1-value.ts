import { type Asn1, eachChild, isUniversal, MalformedAsn1Error, universalTag } from './asn1.ts'

/** The longest identifier in use has some 40 octets. */
const maxIdentifierOctets = 128

/** An object identifier as numbers joined by dots (X.690, 8.19). @throws {MalformedAsn1Error} */
export function oidOf(value: Asn1 | undefined): string {
  if (!isUniversal(value, 'objectIdentifier') || value.constructed) {
    throw new MalformedAsn1Error('not an object identifier')
  }
  const { content } = value
  if (content.length > maxIdentifierOctets || ((content.at(-1) ?? 0x80) & 0x80) !== 0) {
    throw new MalformedAsn1Error('not an object identifier')
  }
  const numbers: bigint[] = []
  let number = 0n
  for (const octet of content) {
    number = number * 128n + BigInt(octet & 0x7f)
    if ((octet & 0x80) !== 0) continue
    numbers.push(number)
    number = 0n
  }
  const [first = 0n, ...rest] = numbers
  const root = first < 40n ? 0n : first < 80n ? 1n : 2n
  return [root, first - root * 40n, ...rest].join('.')
}

/** The octets of an OCTET STRING, also of one in parts (8.7.3). @throws {MalformedAsn1Error} */
export function octetsOf(value: Asn1 | undefined): Uint8Array {
  if (!isUniversal(value, 'octetString')) throw new MalformedAsn1Error('not an octet string')
  return joinedOctets(value)
}

/** The same of one whose tag is replaced by another. @throws {MalformedAsn1Error} */
export function joinedOctets(value: Asn1): Uint8Array {
  if (!value.constructed) return value.content
  const parts: Uint8Array[] = []
  for (const part of eachChild(value)) {
    // 8.7.3.2 allows parts of parts, which nobody makes.
    if (!isUniversal(part, 'octetString') || part.constructed) {
      throw new MalformedAsn1Error('not an octet string')
    }
    parts.push(part.content)
  }
  return Buffer.concat(parts)
}

/** The octets of a BIT STRING without spare bits, such as a key or a signature (8.6). @throws {MalformedAsn1Error} */
export function bitStringOctets(value: Asn1 | undefined): Uint8Array {
  if (!isUniversal(value, 'bitString') || value.constructed || value.content[0] !== 0) {
    throw new MalformedAsn1Error('not a bit string of whole octets')
  }
  return value.content.subarray(1)
}

/** The numbers of the bits that are set in a BIT STRING of flags, among the first 32. @throws {MalformedAsn1Error} */
export function namedBits(value: Asn1): ReadonlySet<number> {
  const [unused, ...octets] = value.content.subarray(0, 5)
  if (value.constructed || unused === undefined || unused > 7) {
    throw new MalformedAsn1Error('not a bit string')
  }
  const bits = octets.flatMap((octet, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7]
      .filter((bit) => (octet & (0x80 >> bit)) !== 0)
      .map((b) => index * 8 + b),
  )
  return new Set(bits)
}

/** A small INTEGER; its tag may be replaced by another. @throws {MalformedAsn1Error} when it is negative or large */
export function smallInteger(value: Asn1): number {
  const { content, constructed } = value
  const significant = content.subarray(Math.max(0, content.length - 6))
  const isSmall = content
    .subarray(0, content.length - significant.length)
    .every((octet) => octet === 0)
  if (constructed || content.length === 0 || !isSmall || (content[0] ?? 0) >= 0x80) {
    throw new MalformedAsn1Error('not a small number')
  }
  return significant.reduce((number, octet) => number * 256 + octet, 0)
}

/** @throws {MalformedAsn1Error} */
export function booleanOf(value: Asn1): boolean {
  if (value.constructed || value.content.length !== 1) throw new MalformedAsn1Error('not a boolean')
  return value.content[0] !== 0
}

export function isTime(value: Asn1 | undefined): value is Asn1 {
  return isUniversal(value, 'utcTime') || isUniversal(value, 'generalizedTime')
}

const afterYear = String.raw`(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(\d\d))?$`
const utcTimeForm = new RegExp(String.raw`^(\d\d)${afterYear}`)
const generalizedTimeForm = new RegExp(String.raw`^(\d{4})${afterYear}`)

/** UTCTime or GeneralizedTime (X.680, clauses 46 and 47); one without a zone is in UTC. @throws {MalformedAsn1Error} */
export function timeOf(value: Asn1 | undefined): Date {
  const isShort = isUniversal(value, 'utcTime')
  const form = isShort ? utcTimeForm : generalizedTimeForm
  const fields = isTime(value) ? form.exec(latin1(value.content)) : null
  if (!fields) throw new MalformedAsn1Error('not a time')
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0))
  // RFC 5280, 4.1.2.5.1: two digits from 50 on are of the last century.
  const century = !isShort ? 0 : year < 50 ? 2000 : 1900
  const milliseconds = Math.floor(Number(`0.${fields[7] ?? 0}`) * 1000)
  const offsetMinutes =
    (fields[8] === '-' ? -1 : 1) * (Number(fields[9] ?? 0) * 60 + Number(fields[10] ?? 0))
  const time = Date.UTC(
    century + year,
    month - 1,
    day,
    hour,
    minute - offsetMinutes,
    second,
    milliseconds,
  )
  if (month < 1 || month > 12 || day < 1 || day > 31) throw new MalformedAsn1Error('not a time')
  return new Date(time)
}

/** The text of a character string; null for what is none (X.690, 8.23). */
export function textOf(value: Asn1): string | null {
  if (value.tagClass !== 'universal' || value.constructed) return null
  switch (value.tagNumber) {
    case universalTag.utf8String:
      return Buffer.from(value.content).toString('utf8')
    case 28:
      return utf32(value.content)
    case 30:
      return utf16(value.content)
    default:
      return singleOctetStrings.has(value.tagNumber) ? latin1(value.content) : null
  }
}

/** Numeric, Printable, Teletex, Videotex, IA5, Graphic, Visible and General; what writers put there is Latin-1. */
const singleOctetStrings: ReadonlySet<number> = new Set([18, 19, 20, 21, 22, 25, 26, 27])

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function utf16(bytes: Uint8Array): string | null {
  return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString('utf16le') : null
}

function utf32(bytes: Uint8Array): string | null {
  if (bytes.length % 4 !== 0) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const point = view.getUint32(at)
    text += point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
  }
  return text
}
