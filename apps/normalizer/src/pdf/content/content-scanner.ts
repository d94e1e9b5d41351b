import { readInlineImage } from './content-stream.ts'
import {
  characterClass,
  hexadecimalDigit,
  REGULAR,
  standsAt,
  WHITE_SPACE,
} from '../reading/character-set.ts'
import { Lexer, Token, unescapeInto } from '../reading/lexer.ts'
import {
  largestPlainArray,
  largestPlainDictionary,
  longestPlainString,
  Oddity,
  oddityOfHexString,
  oddityOfNumber,
  oddityOfString,
  plainMagnitude,
} from '../reading/oddity.ts'
import type { PdfName, PdfStream } from '../object.ts'

/** Kinds of operands. Arrays and dictionaries are not built: their brackets stand among the operands. */
export const Operand = {
  number: 0,
  string: 1,
  name: 2,
  arrayOpen: 3,
  arrayClose: 4,
  dictionaryOpen: 5,
  dictionaryClose: 6,
  other: 7,
} as const

/** No operator takes as many; what stands behind them is passed over. */
const maxOperands = 1 << 18

/** Enough for most operators, and so little that the engine keeps the arrays in its own heap: most content is short. */
const firstRoom = 8

const noBytes = new Uint8Array(0)

/**
 * Goes through a content stream operator by operator (ISO 32000-2, 7.8.2) and makes no objects of what it reads: this is the
 * innermost loop of everything that looks at pages. It reads as {@link readContent} does, which makes objects.
 */
export class ContentScanner {
  /** How many operands the operator has, brackets included. */
  count = 0
  /** The image behind an `EI`; null behind any other operator. */
  inlineImage: PdfStream | null = null
  /** Delimiters so far that close nothing, or belong to functions only. */
  strayDelimiters = 0
  #kinds = new Uint8Array(firstRoom)
  #numbers = new Float64Array(firstRoom)
  #starts = new Int32Array(firstRoom)
  #ends = new Int32Array(firstRoom)
  readonly #strings: Uint8Array[] = []
  readonly #names: PdfName[] = []
  #decoded = noBytes
  #decodedLength = 0
  #lexer = new Lexer(noBytes)

  /** Begins with other content; the room for operands is kept. */
  open(content: Uint8Array): void {
    this.#lexer = new Lexer(content)
    this.strayDelimiters = 0
  }

  /** What was odd so far about operands, as bits of {@link Oddity}. */
  get oddities(): number {
    return this.#lexer.oddities
  }

  /** The next operator as {@link operatorCode} has it; 0 at the end of the content. */
  next(): number {
    const lexer = this.#lexer
    const { bytes, end } = lexer
    this.count = 0
    this.#decodedLength = 0
    this.inlineImage = null
    for (;;) {
      let at = lexer.position
      while (at < end && beginnings[bytes[at] ?? 0] === Beginning.whiteSpace) at++
      lexer.position = at
      if (at >= end) return 0
      switch (beginnings[bytes[at] ?? 0] ?? Beginning.other) {
        case Beginning.word: {
          const operator = this.#readOperator(at)
          if (operator !== 0) return operator
          continue
        }
        case Beginning.number:
          if (this.#readPlainNumber(at)) continue
          break
        case Beginning.string:
          if (this.#readLiteralString(at + 1)) continue
          break
        case Beginning.angle:
          if (bytes[at + 1] !== 0x3c) {
            this.#readHexadecimalString(at + 1)
            continue
          }
          break
        case Beginning.arrayOpen:
          this.#put(Operand.arrayOpen)
          lexer.position = at + 1
          continue
        case Beginning.arrayClose:
          this.#put(Operand.arrayClose)
          lexer.position = at + 1
          continue
      }
      const operator = this.#readOther()
      if (operator !== 0) return operator
    }
  }

  kind(index: number): number {
    return index < this.count ? (this.#kinds[index] ?? Operand.other) : Operand.other
  }

  /** 0 for what is no number. */
  number(index: number): number {
    return this.kind(index) === Operand.number ? (this.#numbers[index] ?? 0) : 0
  }

  name(index: number): PdfName | null {
    return this.kind(index) === Operand.name ? (this.#names[index] ?? null) : null
  }

  /** Bytes in which the string stands from {@link stringStart} to {@link stringEnd}; they hold until the next operator. */
  stringBytes(index: number): Uint8Array {
    return this.#strings[index] ?? noBytes
  }

  stringStart(index: number): number {
    return this.#starts[index] ?? 0
  }

  stringEnd(index: number): number {
    return this.#ends[index] ?? 0
  }

  /** The index of the operand; operands beyond the most that are kept share the last place. */
  #put(kind: number): number {
    const index = this.count
    if (index === this.#kinds.length) {
      if (index >= maxOperands) return index - 1
      this.#grow()
    }
    this.#kinds[index] = kind
    this.count = index + 1
    return index
  }

  /** Whatever is rarer, and what follows a comment, as the lexer reads it; an operator, or 0. */
  #readOther(): number {
    const lexer = this.#lexer
    switch (lexer.next()) {
      case Token.number:
        this.#putNumber(lexer.number)
        return 0
      case Token.string:
        this.#putString(lexer.string, 0, lexer.string.length)
        return 0
      case Token.name:
        this.#names[this.#put(Operand.name)] = lexer.name
        return 0
      case Token.arrayOpen:
        this.#put(Operand.arrayOpen)
        return 0
      case Token.arrayClose:
        this.#put(Operand.arrayClose)
        return 0
      case Token.dictionaryOpen:
        this.#put(Operand.dictionaryOpen)
        return 0
      case Token.dictionaryClose:
        this.#put(Operand.dictionaryClose)
        return 0
      case Token.keyword:
        return this.#readOperator(lexer.tokenStart)
      default:
        return 0
    }
  }

  /** The operator that begins here; 0 for what is none: a delimiter, or one of the words that are operands. */
  #readOperator(start: number): number {
    const lexer = this.#lexer
    const { bytes, end } = lexer
    let at = start
    while (at < end && characterClass[bytes[at] ?? 0] === REGULAR) at++
    if (at === start) {
      lexer.position = start + 1
      this.strayDelimiters++
      return 0
    }
    lexer.position = at
    const length = at - start
    if (length > 3) {
      if (
        length > 5 ||
        !operandWords.some((word) => word.length === length && standsAt(bytes, start, word))
      ) {
        return unknownOperator
      }
      this.#put(Operand.other)
      return 0
    }
    if (this.count > largestPlainArray) lexer.oddities |= this.#oddityOfSizes()
    const code = packed(bytes, start, at)
    if (code !== beginImage) return code
    this.inlineImage = readInlineImage(lexer)
    return endImage
  }

  /** A number of few digits with at most a minus sign and a point; false for any other, which is left to the lexer. */
  #readPlainNumber(start: number): boolean {
    const { bytes } = this.#lexer
    let at = start
    const isNegative = bytes[at] === 0x2d
    if (isNegative) at++
    let digits = 0
    let count = 0
    let scale = 0
    for (; ; at++) {
      const byte = bytes[at] ?? 0
      if (byte >= 0x30 && byte <= 0x39) {
        digits = digits * 10 + byte - 0x30
        count++
        if (scale !== 0) scale *= 10
      } else if (byte === 0x2e && scale === 0) scale = 1
      else break
    }
    // The end of the bytes reads as a null, which is white space.
    const next = bytes[at] ?? 0
    if (count === 0 || count > 15 || next === 0x2d || next === 0x2e) return false
    const value = scale > 1 ? digits / scale : digits
    if (value > plainMagnitude) {
      this.#lexer.oddities |= oddityOfNumber(value, scale === 0, isNegative)
    }
    this.#putNumber(isNegative ? 0 - value : value)
    this.#lexer.position = at
    return true
  }

  /** Of the arrays and dictionaries among the operands. */
  #oddityOfSizes(): number {
    let oddities = 0
    let items = 0
    const outer: number[] = []
    for (let index = 0; index < this.count; index++) {
      switch (this.#kinds[index]) {
        case Operand.arrayOpen:
        case Operand.dictionaryOpen:
          outer.push(items)
          items = 0
          break
        case Operand.arrayClose:
          if (items > largestPlainArray) oddities |= Oddity.largeArray
          items = (outer.pop() ?? 0) + 1
          break
        case Operand.dictionaryClose:
          if (items > 2 * largestPlainDictionary + 1) oddities |= Oddity.largeDictionary
          items = (outer.pop() ?? 0) + 1
          break
        default:
          items++
      }
    }
    return oddities
  }

  #putNumber(value: number): void {
    // Before the array is asked for: it may grow.
    const index = this.#put(Operand.number)
    this.#numbers[index] = value
  }

  #putString(bytes: Uint8Array, start: number, end: number): void {
    const index = this.#put(Operand.string)
    this.#strings[index] = bytes
    this.#starts[index] = start
    this.#ends[index] = end
  }

  #grow(): void {
    const length = this.#kinds.length * 4
    const grown = <T extends Uint8Array | Float64Array | Int32Array>(into: T, from: T): T => {
      into.set(from)
      return into
    }
    this.#kinds = grown(new Uint8Array(length), this.#kinds)
    this.#numbers = grown(new Float64Array(length), this.#numbers)
    this.#starts = grown(new Int32Array(length), this.#starts)
    this.#ends = grown(new Int32Array(length), this.#ends)
  }

  /** A literal string (ISO 32000-2, 7.3.4.2); false for one that does not end, which is left to the lexer. */
  #readLiteralString(start: number): boolean {
    const { bytes, end } = this.#lexer
    let at = start
    let depth = 1
    let isPlain = true
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === 0x29) {
        if (--depth === 0) break
      } else if (byte === 0x28) depth++
      else if (byte === 0x5c) {
        isPlain = false
        at++
      } else if (byte === 0x0d) isPlain = false
    }
    if (at >= end) return false
    this.#lexer.position = at + 1
    if (isPlain) {
      if (at - start > longestPlainString) this.#lexer.oddities |= oddityOfString(at - start)
      this.#putString(bytes, start, at)
      return true
    }
    const first = this.#reserve(at - start)
    this.#decodedLength = unescapeInto(this.#decoded, first, bytes, start, at)
    this.#lexer.oddities |= oddityOfString(this.#decodedLength - first)
    this.#putString(this.#decoded, first, this.#decodedLength)
    return true
  }

  /** Makes room for decoded bytes; where they begin. */
  #reserve(length: number): number {
    const room = this.#decodedLength + length
    if (room > this.#decoded.length) {
      // Strings that were read before keep the old bytes.
      this.#decoded = new Uint8Array(Math.max(room, this.#decoded.length * 2, 256))
    }
    return this.#decodedLength
  }

  /** ISO 32000-2, 7.3.4.3. */
  #readHexadecimalString(start: number): void {
    const { bytes, end } = this.#lexer
    let closing = start
    while (closing < end && bytes[closing] !== 0x3e) closing++
    const first = this.#reserve((closing - start + 1) >> 1)
    const decoded = this.#decoded
    let length = first
    let high = -1
    let foreign = 0
    for (let at = start; at < closing; at++) {
      const byte = bytes[at] ?? 0
      const digit = hexadecimalDigit(byte)
      if (digit < 0) {
        if (characterClass[byte] !== WHITE_SPACE) foreign++
      } else if (high < 0) high = digit
      else {
        decoded[length++] = (high << 4) | digit
        high = -1
      }
    }
    this.#lexer.oddities |= oddityOfHexString(length - first, high >= 0, foreign)
    if (high >= 0) decoded[length++] = high << 4
    this.#decodedLength = length
    this.#putString(decoded, first, length)
    this.#lexer.position = Math.min(closing + 1, end)
  }
}

/** An operator as a number: its bytes, the last one lowest. Operators have at most three. */
export function operatorCode(operator: string): number {
  const bytes = Buffer.from(operator, 'latin1')
  return packed(bytes, 0, bytes.length)
}

/** What a byte can begin; everything else is left to the lexer. */
const Beginning = {
  other: 0,
  whiteSpace: 1,
  word: 2,
  number: 3,
  string: 4,
  angle: 5,
  arrayOpen: 6,
  arrayClose: 7,
} as const

const beginnings: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (characterClass[byte] === WHITE_SPACE) return Beginning.whiteSpace
  const character = String.fromCharCode(byte)
  if (/[A-Za-z]/.test(character)) return Beginning.word
  if (/[-.0-9]/.test(character)) return Beginning.number
  if (character === '(') return Beginning.string
  if (character === '<') return Beginning.angle
  if (character === '[') return Beginning.arrayOpen
  return character === ']' ? Beginning.arrayClose : Beginning.other
})

/** For everything longer than an operator: the same code, which belongs to none. */
const unknownOperator = 0xffffffff

function packed(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 3) return unknownOperator
  let code = 0
  for (let at = start; at < end; at++) code = (code << 8) | (bytes[at] ?? 0)
  return code
}

const operandWords = ['true', 'null', 'false']
const beginImage = operatorCode('BI')
const endImage = operatorCode('EI')
