import {
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from '../object.ts'
import type { GrowingBytes } from './growing-bytes.ts'

/** What a spelling needs to know of the objects around it, and where its references go. */
export interface Surroundings {
  /** Identifies what is referred to; null if that is not written. */
  identify(target: PdfReference | PdfStream): number | null
  /** Told of each reference when the text stands where the number belongs. */
  refer(target: number): void
  /** Whether this dictionary, which stands inside another object, is left out. */
  omits(dictionary: PdfDictionary): boolean
  /** Told of each dictionary that is written. */
  meet(dictionary: PdfDictionary): void
  /** Told of each key of the outermost dictionary before its value is written. */
  enter?(key: string): void
}

/**
 * Writes the one canonical spelling of an object: keys in byte order, nothing but the spaces that tokens need. The
 * numbers of the objects that it refers to stay open. An entry whose value is null, or refers to nothing, is left out
 * (ISO 32000-2, 7.3.7: the same as an absent one); in an array it stands as `null`.
 *
 * @throws {RangeError} when containers are nested deeper than `maximumNesting`
 */
export function spell(object: PdfObject, into: GrowingBytes, surroundings: Surroundings): void {
  const stack: Frame[] = []
  let endsRegular = false

  const write = (value: PdfObject, key: string | null): void => {
    if (value instanceof PdfReference || value instanceof PdfStream) {
      const target = surroundings.identify(value)
      if (target !== null) {
        if (key !== null) into.latin1(serializeName(key))
        if (key !== null || endsRegular) into.byte(space)
        surroundings.refer(target)
        into.latin1(' 0 R')
        endsRegular = true
        return
      }
    } else if (value instanceof PdfDictionary) {
      if (stack.length === 0 || !surroundings.omits(value)) {
        if (key !== null) into.latin1(serializeName(key))
        into.latin1('<<')
        endsRegular = false
        surroundings.meet(value)
        stack.push({ items: value.inByteOrder(), isDictionary: true, next: 0 })
        return
      }
    } else if (Array.isArray(value)) {
      if (key !== null) into.latin1(serializeName(key))
      into.byte(openBracket)
      endsRegular = false
      stack.push({ items: value, isDictionary: false, next: 0 })
      return
    } else if (value !== null) {
      if (key !== null) into.latin1(serializeName(key))
      if (value instanceof PdfName) into.latin1(serializeName(value.value))
      else if (value instanceof PdfString) serializeString(value.bytes, into)
      else {
        if (key !== null || endsRegular) into.byte(space)
        writeToken(value, into)
      }
      endsRegular = !(value instanceof PdfString)
      return
    }

    if (key !== null) return
    into.latin1(endsRegular ? ' null' : 'null')
    endsRegular = true
  }

  write(object, null)
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { items, isDictionary, next } = frame
    if (next >= items.length) {
      into.latin1(isDictionary ? '>>' : ']')
      endsRegular = false
      stack.pop()
      continue
    }
    frame.next = isDictionary ? next + 2 : next + 1
    if (isDictionary) {
      const key = items[next] as string
      if (stack.length === 1) surroundings.enter?.(key)
      write(items[next + 1] as PdfObject, key)
    } else write(items[next] as PdfObject, null)
    if (stack.length > maximumNesting) throw new RangeError('objects are nested too deeply')
  }
}

interface Frame {
  /** Of a dictionary keys and values in turns. */
  readonly items: readonly (string | PdfObject)[]
  readonly isDictionary: boolean
  next: number
}

function writeToken(value: number | boolean, into: GrowingBytes): void {
  if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) into.decimal(value)
  else into.latin1(typeof value === 'number' ? serializeNumber(value) : `${value}`)
}

const space = 0x20
const openBracket = 0x5b

/** Far beyond any parser's limit: it only ends what would never end. */
const maximumNesting = 100_000

/** 7.3.5: everything but regular characters as `#` and two upper-case hexadecimal digits. */
export function serializeName(value: string): string {
  const known = spelledNames.get(value)
  if (known !== undefined) return known
  const spelled = `/${value.replace(irregularCharacter, escapeCharacter)}`
  if (value.length <= longestRemembered) {
    if (spelledNames.size >= mostRemembered) spelledNames.clear()
    spelledNames.set(value, spelled)
  }
  return spelled
}

/** A few hundred names make up most of any document. */
const spelledNames = new Map<string, string>()
const longestRemembered = 32
const mostRemembered = 4_096

/** 7.3.3: shortest decimal form; no exponent, at most {@link decimals} decimals, zero without sign. */
export function serializeNumber(value: number): string {
  if (Number.isSafeInteger(value)) return `${value}`
  if (Number.isNaN(value)) throw new TypeError('not a number')
  if (Math.abs(value) >= largestNumber) return value < 0 ? `-${largestText}` : largestText

  // Once rounded, a value is its own rounding: reading and writing it again gives the same digits.
  const rounded = Math.abs(value) < 1e15 ? Number(value.toFixed(decimals)) : Math.trunc(value)
  if (rounded === 0) return '0'
  const text = `${rounded}`
  if (!text.includes('e')) return withoutLeadingZero(text)
  if (Math.abs(rounded) >= 1) return BigInt(rounded).toString()
  return withoutLeadingZero(rounded.toFixed(decimals).replace(/0+$/, ''))
}

/** 7.3.4: printable ASCII in parentheses, all else in hexadecimal, so that every reader and transport keeps it. */
function serializeString(bytes: Uint8Array, into: GrowingBytes): void {
  if (!isPrintable(bytes)) {
    into.byte(openAngle)
    for (const byte of bytes) {
      into.byte(hexadecimal.charCodeAt(byte >> 4))
      into.byte(hexadecimal.charCodeAt(byte & 15))
    }
    into.byte(closeAngle)
    return
  }
  into.byte(openParenthesis)
  for (const byte of bytes) {
    if (byte === openParenthesis || byte === closeParenthesis || byte === backslash) {
      into.byte(backslash)
    }
    into.byte(byte)
  }
  into.byte(closeParenthesis)
}

function isPrintable(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte < 0x20 || byte > 0x7e) return false
  return true
}

const hexadecimal = '0123456789abcdef'
const openParenthesis = 0x28
const closeParenthesis = 0x29
const openAngle = 0x3c
const closeAngle = 0x3e
const backslash = 0x5c

/** Enough for a 1/65536 step, and for what a double still holds beside a page's coordinates. */
const decimals = 10
/** Annex C.2: about the largest value of a single-precision real. */
const largestNumber = 3.403e38
const largestText = `3403${'0'.repeat(35)}`

const irregularCharacter = /[^!"$&'*-.0-;=?-Z\\^-z|~]/g

function withoutLeadingZero(text: string): string {
  return text.replace(/^(-?)0\./, '$1.')
}

function escapeCharacter(character: string): string {
  return `#${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
