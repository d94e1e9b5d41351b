import { Lexer, Token } from '../reading/lexer.ts'
import { textOfGlyphName } from './glyph-list.ts'

/** Codes of so many bytes between two values; each byte lies between those of the bounds (9.7.6.2). */
export interface CodeSpace {
  readonly bytes: number
  readonly low: number
  readonly high: number
}

/** Consecutive codes and what the first of them stands for. */
interface CodeRange<T> {
  readonly low: number
  readonly high: number
  readonly first: T
}

/** Of codes, one by one and in ranges; what was defined last counts. */
export class CodeTable<T> {
  readonly #single = new Map<number, T>()
  readonly #ranges: CodeRange<T>[] = []
  #isSorted = true

  get size(): number {
    return this.#single.size + this.#ranges.length
  }

  addRange(low: number, high: number, first: T): void {
    if (this.size >= maxEntries || high < low) return
    if (low === high) {
      this.#single.set(low, first)
      return
    }
    this.#ranges.push({ low, high, first })
    this.#isSorted = false
  }

  /** All of it in the order of the codes. */
  entries(): { readonly low: number; readonly high: number; readonly first: T }[] {
    const single = [...this.#single].map(([code, first]) => ({ low: code, high: code, first }))
    return [...single, ...this.#ranges].toSorted((a, b) => a.low - b.low)
  }

  /** What the code's range begins with and how far the code is into it; null if it is in none. */
  find(code: number): { readonly first: T; readonly offset: number } | null {
    const single = this.#single.get(code)
    if (single !== undefined) return { first: single, offset: 0 }
    const ranges = this.#sortedRanges()
    let low = 0
    let high = ranges.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ranges[middle]?.low ?? 0) <= code) low = middle + 1
      else high = middle
    }
    // Ranges that overlap are met in damaged maps; a few of them are looked through.
    for (let at = low - 1; at >= Math.max(0, low - 4); at--) {
      const range = ranges[at]
      if (range && code <= range.high) return { first: range.first, offset: code - range.low }
    }
    return null
  }

  #sortedRanges(): CodeRange<T>[] {
    if (!this.#isSorted) this.#ranges.sort((a, b) => a.low - b.low)
    this.#isSorted = true
    return this.#ranges
  }
}

/** A CMap (ISO 32000-2, 9.7.5, 9.10.3): how strings split into codes, and the characters behind the codes. */
export interface CharacterCodeMap {
  readonly codeSpaces: readonly CodeSpace[]
  /** Identifiers of characters in a collection, by code. */
  readonly identifiers: CodeTable<number>
  /** Text by code: UTF-16 code units. */
  readonly texts: CodeTable<string>
  readonly isVertical: boolean
  /** `/WMode`: 0 is horizontal, 1 vertical. */
  readonly writingMode: number
  /** The map on which this one builds, by name; a stream's own entry tells the same (9.7.5.3, `/UseCMap`). */
  readonly basedOn: string | null
}

/** More than any collection has characters. */
const maxEntries = 140_000
const maxCodeSpaces = 512

/** Reads a CMap's PostScript as far as CMaps are all written alike; passes over what it does not know. */
export function readCharacterCodeMap(bytes: Uint8Array): CharacterCodeMap {
  const lexer = new Lexer(bytes)
  const codeSpaces: CodeSpace[] = []
  const identifiers = new CodeTable<number>()
  const texts = new CodeTable<string>()
  let writingMode = 0
  let basedOn: string | null = null
  let lastName = ''
  let lastNumber = 0
  let isWritingMode = false

  for (let token = lexer.next(); token !== Token.end; token = lexer.next()) {
    if (token === Token.name) {
      lastName = lexer.name.value
      isWritingMode = lastName === 'WMode'
    } else if (token === Token.number) lastNumber = lexer.number
    else if (token === Token.keyword) {
      const keyword = wordAt(lexer)
      if (keyword === 'def' && isWritingMode) writingMode = lastNumber
      else if (keyword === 'usecmap') basedOn = lastName
      else if (keyword === 'begincodespacerange') readCodeSpaces(lexer, codeSpaces)
      else if (keyword === 'begincidrange') readIdentifiers(lexer, identifiers, true)
      else if (keyword === 'begincidchar') readIdentifiers(lexer, identifiers, false)
      else if (keyword === 'beginbfrange') readTexts(lexer, texts, true)
      else if (keyword === 'beginbfchar') readTexts(lexer, texts, false)
    }
  }
  return {
    codeSpaces,
    identifiers,
    texts,
    isVertical: writingMode === 1,
    writingMode,
    basedOn,
  }
}

function wordAt(lexer: Lexer): string {
  const { bytes, tokenStart, position } = lexer
  if (position - tokenStart > longestKeyword) return ''
  return Buffer.from(bytes.buffer, bytes.byteOffset + tokenStart, position - tokenStart).toString(
    'latin1',
  )
}

const longestKeyword = 'begincodespacerange'.length

function readCodeSpaces(lexer: Lexer, codeSpaces: CodeSpace[]): void {
  while (lexer.next() === Token.string) {
    const bytes = lexer.string.length
    const low = codeOf(lexer.string)
    if (lexer.next() !== Token.string) return
    const high = codeOf(lexer.string)
    if (bytes >= 1 && bytes <= 4 && codeSpaces.length < maxCodeSpaces) {
      codeSpaces.push({ bytes, low, high })
    }
  }
}

function readIdentifiers(lexer: Lexer, table: CodeTable<number>, isRange: boolean): void {
  while (lexer.next() === Token.string) {
    const low = codeOf(lexer.string)
    let high = low
    if (isRange) {
      if (lexer.next() !== Token.string) return
      high = codeOf(lexer.string)
    }
    if (lexer.next() !== Token.number) return
    table.addRange(low, high, lexer.number)
  }
}

function readTexts(lexer: Lexer, table: CodeTable<string>, isRange: boolean): void {
  while (lexer.next() === Token.string) {
    const low = codeOf(lexer.string)
    let high = low
    if (isRange) {
      if (lexer.next() !== Token.string) return
      high = codeOf(lexer.string)
    }
    const token = lexer.next()
    if (token === Token.arrayOpen) {
      let code = low
      for (let item = lexer.next(); item !== Token.arrayClose; item = lexer.next()) {
        const text = textAt(lexer, item)
        if (text === null) return
        if (code <= high) table.addRange(code, code, text)
        code++
      }
    } else {
      const text = textAt(lexer, token)
      if (text === null) return
      table.addRange(low, high, text)
    }
  }
}

/** A string of UTF-16BE, or a glyph's name; null for anything else. */
function textAt(lexer: Lexer, token: Token): string | null {
  if (token === Token.name) return textOfGlyphName(lexer.name.value) ?? ''
  if (token !== Token.string) return null
  const bytes = lexer.string
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0)
  let text = ''
  for (let at = 0; at + 1 < Math.min(bytes.length, maxTextBytes); at += 2) {
    text += String.fromCharCode(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))
  }
  return text
}

/** ISO 32000-2, 9.10.3, sets 512 bytes as the longest. */
const maxTextBytes = 512

/** Of at most four bytes; a longer one has its last four. */
function codeOf(bytes: Uint8Array): number {
  let code = 0
  for (let at = Math.max(0, bytes.length - 4); at < bytes.length; at++) {
    code = code * 256 + (bytes[at] ?? 0)
  }
  return code
}

/**
 * The text of a code: of a range, its first text with the last unit counted up.
 *
 * @returns null for a code that the table does not have
 */
export function textOfCode(table: CodeTable<string>, code: number): string | null {
  const found = table.find(code)
  return found && textInRange(found.first, found.offset)
}

/** The text that many codes after the first of a range; null where the last unit would count over its end. */
function textInRange(first: string, offset: number): string | null {
  if (offset === 0 || first === '') return first
  // The last byte counts up (9.10.3); writers count over it as well.
  const last = first.charCodeAt(first.length - 1) + offset
  return last > 0xffff ? null : first.slice(0, -1) + String.fromCharCode(last)
}
