import {
  characterClass,
  CR,
  DELIMITER,
  hexadecimalDigit,
  isDigit,
  LF,
  REGULAR,
  standsAt,
  WHITE_SPACE,
} from './character-set.ts'
import { PdfName } from '../object.ts'
import {
  longestPlainName,
  longestPlainString,
  Oddity,
  oddityOfHexString,
  oddityOfNumber,
  oddityOfString,
  plainMagnitude,
} from './oddity.ts'

/** Kinds of tokens (ISO 32000-2, 7.2 and 7.3). Numbers rather than strings: this is the reader's innermost loop. */
export const Token = {
  end: 0,
  number: 1,
  name: 2,
  string: 3,
  arrayOpen: 4,
  arrayClose: 5,
  dictionaryOpen: 6,
  dictionaryClose: 7,
  keyword: 8,
} as const
export type Token = (typeof Token)[keyof typeof Token]

/** The keywords that a reader of objects acts on; any other one is `''`. */
export type Keyword =
  | ''
  | 'true'
  | 'false'
  | 'null'
  | 'R'
  | 'obj'
  | 'endobj'
  | 'stream'
  | 'endstream'
  | 'xref'
  | 'trailer'
  | 'startxref'

/**
 * Splits bytes into tokens. It never throws: what does not follow the grammar is read as common viewers read it.
 * The value of the token last read stands in the field that belongs to its kind.
 */
export class Lexer {
  readonly bytes: Uint8Array
  /** Nothing at or after this offset is read. */
  readonly end: number
  position: number
  tokenStart = 0
  number = 0
  isInteger = false
  name: PdfName = emptyName
  string: Uint8Array = noBytes
  keyword: Keyword = ''
  /** What was odd so far about tokens and about what was made of them, as bits of {@link Oddity}. */
  oddities = 0
  /** Literal and hexadecimal strings so far that the end of the bytes cut off. */
  unterminatedStrings = 0
  /** What the objects made from the tokens so far take of the memory, roughly; kept by who makes them. */
  objectBytes = 0

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes
    this.position = position
    this.end = end
  }

  next(): Token {
    this.skipWhiteSpaceAndComments()
    const start = this.position
    this.tokenStart = start
    if (start >= this.end) return Token.end

    const byte = this.bytes[start] ?? 0
    switch (byte) {
      case 0x2f: // /
        return this.#readName(start + 1)
      case 0x28: // (
        return this.#readLiteralString(start + 1)
      case 0x5b: // [
        this.position = start + 1
        return Token.arrayOpen
      case 0x5d: // ]
        this.position = start + 1
        return Token.arrayClose
      case 0x3c: // <
        if (start + 1 < this.end && this.bytes[start + 1] === 0x3c) {
          this.position = start + 2
          return Token.dictionaryOpen
        }
        return this.#readHexadecimalString(start + 1)
      case 0x3e: // >
        if (start + 1 < this.end && this.bytes[start + 1] === 0x3e) {
          this.position = start + 2
          return Token.dictionaryClose
        }
        return this.#strayDelimiter()
      case 0x29: // )
      case 0x7b: // {
      case 0x7d: // }
        return this.#strayDelimiter()
      default:
        // + - . and digits
        if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b) {
          return this.#readNumber(start)
        }
        return this.#readKeyword(start)
    }
  }

  skipWhiteSpaceAndComments(): void {
    const { bytes, end } = this
    let at = this.position
    for (;;) {
      while (at < end && characterClass[bytes[at] ?? 0] === WHITE_SPACE) at++
      if (at >= end || bytes[at] !== 0x25) break
      while (at < end && bytes[at] !== LF && bytes[at] !== CR) at++
    }
    this.position = at
  }

  /**
   * After an integer: the generation if `G R` follows, which is then consumed; else -1 (7.3.10).
   */
  generationOfReference(): number {
    const before = this.position
    this.skipWhiteSpaceAndComments()
    if (!isDigit(this.bytes[this.position]) || this.position === before) {
      this.position = before
      return -1
    }

    let at = this.position
    let generation = 0
    while (at < this.end && isDigit(this.bytes[at])) {
      generation = generation * 10 + (this.bytes[at] ?? 0) - 0x30
      at++
    }
    this.position = at
    this.skipWhiteSpaceAndComments()

    const isReference =
      this.position > at &&
      this.position < this.end &&
      this.bytes[this.position] === 0x52 &&
      (this.position + 1 >= this.end ||
        characterClass[this.bytes[this.position + 1] ?? 0] !== REGULAR)
    if (!isReference) {
      this.position = before
      return -1
    }
    this.position++
    return generation
  }

  #strayDelimiter(): Token {
    this.position = this.tokenStart + 1
    this.keyword = ''
    return Token.keyword
  }

  /** 7.3.3; signs and points in wrong places are passed over, as viewers do. */
  #readNumber(start: number): Token {
    const { bytes, end } = this
    let at = start
    let negative = false
    while (at < end && (bytes[at] === 0x2d || bytes[at] === 0x2b)) {
      if (bytes[at] === 0x2d) negative = true
      at++
    }

    let digits = 0
    let scale = 1
    let point = false
    const digitsStart = at
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte >= 0x30 && byte <= 0x39) {
        digits = digits * 10 + (byte - 0x30)
        if (point) scale *= 10
      } else if (byte === 0x2e && !point) {
        point = true
      } else {
        break
      }
    }
    // More digits than a double counts exactly have to be rounded as a whole.
    if (digits > Number.MAX_SAFE_INTEGER || scale > 1e22) {
      digits = Number(latin1(bytes, digitsStart, at))
      this.oddities |= oddityOfNumber(digits, !point, negative)
      if (!Number.isFinite(digits)) digits = 0
      scale = 1
    }
    // A second point or an inner minus ends the number; the rest of the token is noise.
    while (at < end && (isDigit(bytes[at]) || bytes[at] === 0x2d || bytes[at] === 0x2e)) at++

    this.position = at
    this.isInteger = !point
    const value = point ? digits / scale : digits
    if (value > plainMagnitude) this.oddities |= oddityOfNumber(value, !point, negative)
    this.number = negative ? 0 - value : value
    return Token.number
  }

  /** 7.3.5. */
  #readName(start: number): Token {
    const { bytes, end } = this
    let at = start
    let hash = 0
    let escaped = false
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (characterClass[byte] !== REGULAR) break
      if (byte === 0x23) escaped = true
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    this.position = at
    this.name = escaped
      ? new PdfName(unescapeName(bytes, start, at))
      : internedName(bytes, start, at, hash)
    if (this.name.value.length > longestPlainName) this.oddities |= Oddity.longName
    return Token.name
  }

  /** 7.3.4.2. */
  #readLiteralString(start: number): Token {
    const { bytes, end } = this
    let at = start
    // Most strings hold nothing to decode: they are a view.
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === 0x29) {
        this.position = at + 1
        this.string = bytes.subarray(start, at)
        if (at - start > longestPlainString) this.oddities |= oddityOfString(at - start)
        return Token.string
      }
      if (byte === 0x5c || byte === 0x28 || byte === CR) break
    }

    let depth = 1
    let closing = at
    for (; closing < end; closing++) {
      const byte = bytes[closing]
      if (byte === 0x5c) closing++
      else if (byte === 0x28) depth++
      else if (byte === 0x29 && --depth === 0) break
    }
    if (closing >= end) {
      closing = end
      this.unterminatedStrings++
    }
    this.position = Math.min(closing + 1, end)
    this.string = unescapeString(bytes, start, closing)
    this.oddities |= oddityOfString(this.string.length)
    return Token.string
  }

  /** 7.3.4.3. */
  #readHexadecimalString(start: number): Token {
    const { bytes, end } = this
    let closing = start
    while (closing < end && bytes[closing] !== 0x3e) closing++
    if (closing >= end) this.unterminatedStrings++

    const decoded = new Uint8Array((closing - start + 1) >> 1)
    let length = 0
    let high = -1
    let foreign = 0
    for (let at = start; at < closing; at++) {
      const byte = bytes[at] ?? 0
      const digit = hexadecimalDigit(byte)
      if (digit < 0) {
        if (characterClass[byte] !== WHITE_SPACE) foreign++
      } else if (high < 0) {
        high = digit
      } else {
        decoded[length++] = (high << 4) | digit
        high = -1
      }
    }
    this.oddities |= oddityOfHexString(length, high >= 0, foreign)
    if (high >= 0) decoded[length++] = high << 4

    this.position = Math.min(closing + 1, end)
    this.string = beginningOf(decoded, length)
    return Token.string
  }

  #readKeyword(start: number): Token {
    const { bytes, end } = this
    let at = start
    while (at < end && characterClass[bytes[at] ?? DELIMITER] === REGULAR) at++
    this.position = at
    this.keyword = keywordAt(bytes, start, at - start)
    return Token.keyword
  }
}

/** A view would have the engine move short arrays out of its heap: that takes longer than reading them. */
function beginningOf(bytes: Uint8Array, length: number): Uint8Array {
  return length === bytes.length ? bytes : bytes.slice(0, length)
}

const noBytes = new Uint8Array(0)
const emptyName = new PdfName('')

/** A name that comes again costs a comparison instead of a string. The size only bounds the memory. */
const nameCache: (PdfName | undefined)[] = Array.from({ length: 4096 })

function internedName(bytes: Uint8Array, start: number, end: number, hash: number): PdfName {
  const slot = (hash ^ (hash >>> 12)) & 4095
  const cached = nameCache[slot]
  if (cached !== undefined && isNamed(cached.value, bytes, start, end)) return cached

  const name = new PdfName(latin1(bytes, start, end))
  nameCache[slot] = name
  return name
}

function isNamed(value: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (value.length !== end - start) return false
  for (let i = 0; i < value.length; i++) {
    if (value.charCodeAt(i) !== bytes[start + i]) return false
  }
  return true
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}

function unescapeName(bytes: Uint8Array, start: number, end: number): string {
  let value = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    const high = byte === 0x23 && at + 2 < end ? hexadecimalDigit(bytes[at + 1]) : -1
    const low = high >= 0 ? hexadecimalDigit(bytes[at + 2]) : -1
    if (low >= 0) {
      const code = (high << 4) | low
      // Null is the one character that no name may have; readers stop there, pass over the name, or take it as it is.
      if (code !== 0) value += String.fromCharCode(code)
      at += 2
    } else {
      value += String.fromCharCode(byte)
    }
  }
  return value
}

function unescapeString(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const decoded = new Uint8Array(end - start)
  return beginningOf(decoded, unescapeInto(decoded, 0, bytes, start, end))
}

/**
 * Decodes what stands between the parentheses of a literal string (7.3.4.2); it never grows.
 *
 * @param decoded has room for it from `first` on
 * @returns where the decoded bytes end
 */
export function unescapeInto(
  decoded: Uint8Array,
  first: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let length = first
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === CR) {
      // An end-of-line within a string is one LF, however it was written.
      decoded[length++] = LF
      if (bytes[at + 1] === LF) at++
      continue
    }
    if (byte !== 0x5c) {
      decoded[length++] = byte
      continue
    }

    at++
    if (at >= end) break
    const escape = bytes[at] ?? 0
    if (escape >= 0x30 && escape <= 0x37) {
      let code = escape - 0x30
      for (let digits = 1; digits < 3 && at + 1 < end; digits++) {
        const digit = (bytes[at + 1] ?? 0) - 0x30
        if (digit < 0 || digit > 7) break
        code = code * 8 + digit
        at++
      }
      decoded[length++] = code & 0xff
      continue
    }
    switch (escape) {
      case 0x6e:
        decoded[length++] = LF
        break
      case 0x72:
        decoded[length++] = CR
        break
      case 0x74:
        decoded[length++] = 0x09
        break
      case 0x62:
        decoded[length++] = 0x08
        break
      case 0x66:
        decoded[length++] = 0x0c
        break
      case CR:
        if (bytes[at + 1] === LF) at++
        break
      case LF:
        break
      default:
        decoded[length++] = escape
    }
  }
  return length
}

function keywordAt(bytes: Uint8Array, start: number, length: number): Keyword {
  switch (bytes[start]) {
    case 0x52: // R
      return length === 1 ? 'R' : ''
    case 0x74: // t
      if (length === 4 && standsAt(bytes, start, 'true')) return 'true'
      return standsAt(bytes, start, 'trailer') ? 'trailer' : ''
    case 0x66: // f
      return length === 5 && standsAt(bytes, start, 'false') ? 'false' : ''
    case 0x6e: // n
      return length === 4 && standsAt(bytes, start, 'null') ? 'null' : ''
    case 0x6f: // o
      return length === 3 && standsAt(bytes, start, 'obj') ? 'obj' : ''
    case 0x78: // x
      return length === 4 && standsAt(bytes, start, 'xref') ? 'xref' : ''
    case 0x73: // s
      if (standsAt(bytes, start, 'stream')) return 'stream'
      return standsAt(bytes, start, 'startxref') ? 'startxref' : ''
    case 0x65: // e
      // Sloppy writers leave out the space behind these two: endstreamendobj, endobj12.
      if (standsAt(bytes, start, 'endobj')) return 'endobj'
      return standsAt(bytes, start, 'endstream') ? 'endstream' : ''
    default:
      return ''
  }
}
