import { cffStandardStrings } from './cff-standard-strings.ts'

/** What a Compact Font Format program (Adobe Technical Note 5176) says of its glyphs. */
export interface CffProgram {
  /** Glyphs are known by identifiers of a character collection and have no names. */
  readonly isCidKeyed: boolean
  /** Of a glyph, by index; null where there is none, and in all of a CID-keyed program. */
  nameOf(glyph: number): string | null
  /** The glyph of the built-in encoding; null where the encoding is a predefined one, or has none for the code. */
  glyphOf(code: number): number | null
  /** Name of the predefined encoding that the program has in place of its own; null if it has its own. */
  readonly encoding: 'StandardEncoding' | 'ExpertEncoding' | null
}

/** null for a program that cannot be read. */
export function readCff(program: Uint8Array): CffProgram | null {
  try {
    return new CffReader(program).read()
  } catch (error) {
    // An offset leads past the end.
    if (error instanceof RangeError) return null
    throw error
  }
}

const operators = { charset: 15, encoding: 16, charStrings: 17, ros: 12 * 256 + 30 } as const

class CffReader {
  readonly #view: DataView
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  read(): CffProgram | null {
    if (this.#view.getUint8(0) !== 1) return null
    const names = this.#index(this.#view.getUint8(2))
    const dictionaries = this.#index(names.end)
    const strings = this.#index(dictionaries.end)
    if (dictionaries.count === 0) return null
    const [start, end] = dictionaries.item(0)
    const top = this.#dictionary(start, end)
    const charStrings = top.get(operators.charStrings)
    const glyphs = charStrings === undefined ? 0 : this.#view.getUint16(charStrings)
    const isCidKeyed = top.has(operators.ros)
    const identifiers = isCidKeyed ? [] : this.#charset(top.get(operators.charset) ?? 0, glyphs)
    const encoding = top.get(operators.encoding) ?? 0
    const codes = encoding > 1 && !isCidKeyed ? this.#encoding(encoding, identifiers) : null

    return {
      isCidKeyed,
      encoding: codes || isCidKeyed ? null : encoding === 1 ? 'ExpertEncoding' : 'StandardEncoding',
      glyphOf: (code) => codes?.get(code) ?? null,
      nameOf: (glyph) => {
        if (glyph <= 0) return null
        const identifier = identifiers[glyph]
        if (identifier === undefined) return null
        const standard = cffStandardStrings[identifier]
        if (standard !== undefined) return standard
        const index = identifier - cffStandardStrings.length
        if (index < 0 || index >= strings.count) return null
        try {
          return this.#text(...strings.item(index))
        } catch {
          return null
        }
      },
    }
  }

  /** Section 5: count, size of offsets, offsets counted from 1, data. */
  #index(at: number): {
    count: number
    end: number
    item: (index: number) => [number, number]
  } {
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

  /** Section 4: the first operand of each operator. */
  #dictionary(start: number, end: number): Map<number, number> {
    const entries = new Map<number, number>()
    let operand: number | null = null
    for (let at = start; at < Math.min(end, this.#bytes.length);) {
      const byte = this.#view.getUint8(at)
      if (byte <= 21) {
        const operator = byte === 12 ? 12 * 256 + this.#view.getUint8(at + 1) : byte
        entries.set(operator, operand ?? 0)
        operand = null
        at += byte === 12 ? 2 : 1
        continue
      }
      const [value, length] = this.#operand(byte, at)
      operand ??= value
      at += length
    }
    return entries
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
    if (byte !== 30) return [0, 1]
    // A real number ends with the nibble f; none of the operators that are looked at has one.
    let length = 1
    for (; at + length < this.#bytes.length; length++) {
      const nibbles = this.#view.getUint8(at + length)
      if ((nibbles & 0xf) === 0xf || nibbles >> 4 === 0xf) break
    }
    return [0, length + 1]
  }

  /** Section 13: string identifiers by glyph. */
  #charset(at: number, glyphs: number): number[] {
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
  #encoding(at: number, identifiers: readonly number[]): Map<number, number> {
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

  #text(start: number, end: number): string {
    return Buffer.from(this.#bytes.subarray(start, Math.min(end, start + 256))).toString('latin1')
  }
}
