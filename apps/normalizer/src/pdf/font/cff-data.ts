/** One of the lists of a Compact Font Format program (Adobe Technical Note 5176, section 5). */
export interface CffIndex {
  readonly count: number
  /** Offset of what follows it. */
  readonly end: number
  /** Where an item begins and ends. */
  item(index: number): [start: number, end: number]
}

/** Operands by operator (section 4, appendix H); operators of two bytes are 12 × 256 and the second byte. */
export type CffDictionary = ReadonlyMap<number, readonly number[]>

export const cffOperators = {
  charset: 15,
  encoding: 16,
  charStrings: 17,
  private: 18,
  subroutines: 19,
  defaultWidth: 20,
  nominalWidth: 21,
  fontMatrix: 12 * 256 + 7,
  ros: 12 * 256 + 30,
  fontDictionaries: 12 * 256 + 36,
  fontSelect: 12 * 256 + 37,
} as const

/** The structures of which a Compact Font Format program is made. Reading past the end throws a RangeError. */
export class CffData {
  readonly bytes: Uint8Array
  readonly top: CffDictionary
  readonly strings: CffIndex
  readonly globalSubroutines: CffIndex
  readonly #view: DataView
  readonly #buffer: Buffer

  /** @throws {RangeError} when the program is cut off, is of another version or holds no font */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (this.#view.getUint8(0) !== 1) throw new RangeError('not a version that is known')
    const names = this.index(this.#view.getUint8(2))
    const dictionaries = this.index(names.end)
    this.strings = this.index(dictionaries.end)
    this.globalSubroutines = this.index(this.strings.end)
    if (dictionaries.count === 0) throw new RangeError('no font')
    this.top = this.dictionary(...dictionaries.item(0))
  }

  /** Section 5: count, size of offsets, offsets counted from 1, data. */
  index(at: number): CffIndex {
    const count = this.#view.getUint16(at)
    if (count === 0) return { count, end: at + 2, item: () => [0, 0] }
    const size = this.#view.getUint8(at + 2)
    const offset = (index: number): number => {
      let value = 0
      for (let byte = 0; byte < size; byte++) {
        value = value * 256 + this.#view.getUint8(at + 3 + index * size + byte)
      }
      return value
    }
    const data = at + 3 + (count + 1) * size - 1
    return {
      count,
      end: data + offset(count),
      item: (index) => [data + offset(index), data + offset(index + 1)],
    }
  }

  dictionary(start: number, end: number): CffDictionary {
    const entries = new Map<number, readonly number[]>()
    let operands: number[] = []
    const stop = Math.min(end, start + maxDictionaryBytes, this.bytes.length)
    for (let at = start; at < stop;) {
      const byte = this.#view.getUint8(at)
      if (byte <= 21) {
        const operator = byte === 12 ? 12 * 256 + this.#view.getUint8(at + 1) : byte
        entries.set(operator, operands)
        operands = []
        at += byte === 12 ? 2 : 1
        continue
      }
      const [value, length] = this.#operand(byte, at)
      if (operands.length < maxOperands) operands.push(value)
      at += length
    }
    return entries
  }

  /** Section 13: identifiers by glyph, of strings or, in a program keyed by them, of characters. */
  charset(at: number, glyphs: number): number[] {
    const identifiers = [0]
    if (at <= 2) {
      // ISOAdobe has its glyphs in the order of the standard strings; the expert sets are met nowhere.
      for (let glyph = 1; glyph < Math.min(glyphs, 229); glyph++) identifiers.push(glyph)
      return identifiers
    }
    const format = this.#view.getUint8(at)
    let next = at + 1
    while (identifiers.length < glyphs) {
      const first = this.#view.getUint16(next)
      next += 2
      let left = 0
      if (format === 1) left = this.#view.getUint8(next++)
      else if (format === 2) {
        left = this.#view.getUint16(next)
        next += 2
      }
      for (let index = 0; index <= left && identifiers.length < glyphs; index++) {
        identifiers.push(first + index)
      }
    }
    return identifiers
  }

  /** Section 12: glyphs by code. */
  encoding(at: number, identifiers: readonly number[]): Map<number, number> {
    const codes = new Map<number, number>()
    const format = this.#view.getUint8(at)
    const count = this.#view.getUint8(at + 1)
    let next = at + 2
    let glyph = 1
    for (let entry = 0; entry < count; entry++) {
      const first = this.#view.getUint8(next++)
      const left = (format & 0x7f) === 1 ? this.#view.getUint8(next++) : 0
      for (let index = 0; index <= left; index++) codes.set(first + index, glyph++)
    }
    if ((format & 0x80) === 0) return codes
    const supplements = this.#view.getUint8(next++)
    for (let entry = 0; entry < supplements; entry++, next += 3) {
      const supplied = identifiers.indexOf(this.#view.getUint16(next + 1))
      if (supplied > 0) codes.set(this.#view.getUint8(next), supplied)
    }
    return codes
  }

  /** Section 19: the font dictionary of a glyph, by its index. */
  fontSelect(at: number, glyphs: number): (glyph: number) => number {
    if (this.#view.getUint8(at) === 0) {
      // The last one has to be there.
      this.#view.getUint8(at + glyphs)
      return (glyph) => this.#view.getUint8(at + 1 + glyph)
    }
    const count = this.#view.getUint16(at + 1)
    this.#view.getUint16(at + 3 + count * 3)
    return (glyph) => {
      let low = 0
      let high = count
      while (low + 1 < high) {
        const middle = (low + high) >>> 1
        if (this.#view.getUint16(at + 3 + middle * 3) <= glyph) low = middle
        else high = middle
      }
      return this.#view.getUint8(at + 5 + low * 3)
    }
  }

  text(start: number, end: number): string {
    return this.#buffer.toString('latin1', start, Math.min(end, start + 256))
  }

  #operand(byte: number, at: number): [value: number, length: number] {
    if (byte === 28) return [this.#view.getInt16(at + 1), 3]
    if (byte === 29) return [this.#view.getInt32(at + 1), 5]
    if (byte >= 32 && byte <= 246) return [byte - 139, 1]
    if (byte >= 247 && byte <= 250) {
      return [(byte - 247) * 256 + this.#view.getUint8(at + 1) + 108, 2]
    }
    if (byte >= 251 && byte <= 254) {
      return [-(byte - 251) * 256 - this.#view.getUint8(at + 1) - 108, 2]
    }
    return byte === 30 ? this.#real(at) : [0, 1]
  }

  /** Table 5: two characters in each byte, up to the nibble f. */
  #real(at: number): [value: number, length: number] {
    let text = ''
    let length = 1
    for (; at + length < this.bytes.length && length < maxRealBytes; length++) {
      const byte = this.#view.getUint8(at + length)
      text += (realCharacters[byte >> 4] ?? '') + (realCharacters[byte & 0xf] ?? '')
      if ((byte & 0xf) === 0xf || byte >> 4 === 0xf) break
    }
    const value = Number(text)
    return [Number.isNaN(value) ? 0 : value, length + 1]
  }
}

/** Real ones have some hundreds at most. */
const maxDictionaryBytes = 65_536
/** Section 4: the stack of a dictionary. */
const maxOperands = 48
const maxRealBytes = 32
const realCharacters = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-']
