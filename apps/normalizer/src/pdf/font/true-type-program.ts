import { textOfGlyphName } from './glyph-list.ts'
import { macintoshGlyphOrder } from './macintosh-glyph-order.ts'

/** What a TrueType or OpenType program says of its glyphs (ISO/IEC 14496-22). */
export interface TrueTypeProgram {
  /** The glyph that a symbolic font shows for a code (ISO 32000-2, 9.6.5.4), and through which map; null if there is none. */
  glyphOf(code: number): { readonly glyph: number; readonly map: 'symbol' | 'macintosh' } | null
  /** The text of a glyph, by the program's Unicode map or by the glyph's name; null if neither knows. */
  textOf(glyph: number): string | null
  /** The offset and length of a table; null where the program has none. */
  table(tag: string): { readonly offset: number; readonly length: number } | null
  readonly subtables: readonly CharacterMap[]
  /** The glyph that a character map has for a code; 0 where there is none. */
  glyphIn(map: CharacterMap, code: number): number
  /** By the name that the program has for it; null where no glyph has that name. */
  glyphNamed(name: string): number | null
  /** null where the program lacks the tables or they lie past its end. */
  readonly metrics: GlyphMetrics | null
}

/** One of the maps of the `cmap` table. */
export interface CharacterMap {
  readonly platform: number
  readonly encoding: number
  readonly offset: number
}

export interface GlyphMetrics {
  /** null where no `maxp` table says it. */
  readonly glyphCount: number | null
  /**
   * In thousandths of an em. Glyphs beyond the list have the width of the last in it; 0 where the list is empty, null where
   * nothing says what an em is.
   */
  advanceOf(glyph: number): number | null
}

/** null for a program that cannot be read. */
export function readTrueType(program: Uint8Array): TrueTypeProgram | null {
  try {
    const reader = new TrueTypeReader(program)
    const subtables = reader.subtables()
    const symbols = subtables.find(({ platform, encoding }) => platform === 3 && encoding === 0)
    const macintosh = subtables.find(({ platform }) => platform === 1)
    let texts: ReadonlyMap<number, string> | null = null
    let names: readonly (string | null)[] | null = null
    let byName: ReadonlyMap<string, number> | null = null
    let metrics: GlyphMetrics | null | undefined
    return {
      table: (tag) => reader.table(tag),
      subtables,
      glyphIn: ({ offset }, code) => reader.glyphOf(offset, code),
      glyphNamed(name) {
        byName ??= glyphsByName((names ??= reader.glyphNames()))
        return byName.get(name) ?? null
      },
      get metrics() {
        if (metrics === undefined) metrics = reader.metrics()
        return metrics
      },
      glyphOf(code) {
        const symbol = symbols ? symbolGlyph(reader, symbols.offset, code) : 0
        if (symbol !== 0) return { glyph: symbol, map: 'symbol' }
        const glyph = macintosh ? reader.glyphOf(macintosh.offset, code) : 0
        return glyph === 0 ? null : { glyph, map: 'macintosh' }
      },
      textOf(glyph) {
        texts ??= reader.texts(subtables)
        const text = texts.get(glyph)
        if (text !== undefined) return text
        names ??= reader.glyphNames()
        const name = names[glyph] ?? null
        return name === null ? null : textOfGlyphName(name)
      },
    }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * Glyph indexes by Unicode code point, out of the richest map that the program has for Unicode. null where it has none, or
 * cannot be read.
 */
export function glyphLookup(program: Uint8Array): ((codePoint: number) => number | null) | null {
  try {
    const reader = new TrueTypeReader(program)
    const maps = reader.subtables().filter(isUnicode)
    const map = maps.find(({ offset }) => reader.format(offset) === 12) ?? maps.at(-1)
    return map ? (codePoint) => reader.glyphOf(map.offset, codePoint) || null : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function glyphsByName(names: readonly (string | null)[]): Map<string, number> {
  const glyphs = new Map<string, number>()
  for (const [glyph, name] of names.entries()) {
    if (name !== null && !glyphs.has(name)) glyphs.set(name, glyph)
  }
  return glyphs
}

function isUnicode({ platform, encoding }: CharacterMap): boolean {
  return platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10))
}

/** Codes of symbol maps stand in a part of the private use area. */
function symbolGlyph(reader: TrueTypeReader, offset: number, code: number): number {
  for (const base of [0xf000, 0, 0xf100, 0xf200]) {
    const glyph = reader.glyphOf(offset, base + code)
    if (glyph !== 0) return glyph
  }
  return 0
}

/** More than any program has glyphs. */
const maxGlyphs = 65_536
const maxSubtables = 64
const maxTables = 256

class TrueTypeReader {
  readonly #view: DataView
  readonly #bytes: Uint8Array
  readonly #tables = new Map<string, { offset: number; length: number }>()

  /** @throws {RangeError} when the table directory is cut off */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // A collection's first font.
    const start = this.#view.getUint32(0) === 0x74746366 ? this.#view.getUint32(12) : 0
    const count = Math.min(maxTables, this.#view.getUint16(start + 4))
    for (let index = 0; index < count; index++) {
      const entry = start + 12 + index * 16
      const tag = Buffer.from(bytes.subarray(entry, entry + 4)).toString('latin1')
      const offset = this.#view.getUint32(entry + 8)
      this.#tables.set(tag, { offset, length: this.#view.getUint32(entry + 12) })
    }
  }

  table(tag: string): { offset: number; length: number } | null {
    return this.#tables.get(tag) ?? null
  }

  /** @throws {RangeError} when the `cmap` table is cut off */
  subtables(): CharacterMap[] {
    const table = this.#tables.get('cmap')
    if (!table) return []
    const count = Math.min(maxSubtables, this.#view.getUint16(table.offset + 2))
    return Array.from({ length: count }, (_, index) => {
      const entry = table.offset + 4 + index * 8
      return {
        platform: this.#view.getUint16(entry),
        encoding: this.#view.getUint16(entry + 2),
        offset: table.offset + this.#view.getUint32(entry + 4),
      }
    })
  }

  metrics(): GlyphMetrics | null {
    const header = this.#whole('hhea', 36)
    const list = this.#whole('hmtx', 0)
    if (header === null || list === null) return null
    const optional = (tag: string, length: number): number | null | undefined =>
      this.#tables.has(tag) ? this.#whole(tag, length) : undefined
    const head = optional('head', 20)
    const profile = optional('maxp', 6)
    if ([head, profile, optional('cmap', 4), optional('post', 4)].includes(null)) return null
    const unitsPerEm = head ? this.#view.getUint16(head + 18) : null
    const listed = Math.min(this.#view.getUint16(header + 34), this.#lengthOf('hmtx') >> 2)
    return {
      glyphCount: profile ? this.#view.getUint16(profile + 4) : null,
      advanceOf: (glyph) => {
        if (unitsPerEm === null || listed === 0) return unitsPerEm && 0
        const advance = this.#view.getUint16(list + Math.min(glyph, listed - 1) * 4)
        return (advance * 1000) / unitsPerEm
      },
    }
  }

  /** Where a table begins; null where there is none, it is too short or lies past the end. */
  #whole(tag: string, length: number): number | null {
    const table = this.#tables.get(tag)
    if (table === undefined || table.length < length) return null
    return table.offset + table.length <= this.#bytes.length ? table.offset : null
  }

  #lengthOf(tag: string): number {
    return this.#tables.get(tag)?.length ?? 0
  }

  /** 0 where the subtable has no glyph for the code, or points past the end. */
  glyphOf(subtable: number, code: number): number {
    try {
      switch (this.#view.getUint16(subtable)) {
        case 0:
          return code < 256 ? this.#view.getUint8(subtable + 6 + code) : 0
        case 4:
          return this.#segmentGlyph(subtable, code)
        case 6: {
          const index = code - this.#view.getUint16(subtable + 6)
          const isIn = index >= 0 && index < this.#view.getUint16(subtable + 8)
          return isIn ? this.#view.getUint16(subtable + 10 + index * 2) : 0
        }
        case 12:
          return this.#groupGlyph(subtable, code)
        default:
          return 0
      }
    } catch (error) {
      if (error instanceof RangeError) return 0
      throw error
    }
  }

  /** @throws {RangeError} when the subtable lies past the end */
  format(subtable: number): number {
    return this.#view.getUint16(subtable)
  }

  /** Format 12: groups in ascending order. */
  #groupGlyph(subtable: number, code: number): number {
    let low = 0
    let high = this.#view.getUint32(subtable + 12) - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const group = subtable + 16 + middle * 12
      const start = this.#view.getUint32(group)
      if (code < start) high = middle - 1
      else if (code > this.#view.getUint32(group + 4)) low = middle + 1
      else return this.#view.getUint32(group + 8) + code - start
    }
    return 0
  }

  #segmentGlyph(subtable: number, code: number): number {
    if (code > 0xffff) return 0
    const doubled = this.#view.getUint16(subtable + 6)
    // Segments stand in ascending order; the first that does not end before the code is the only one that may have it.
    let low = 0
    let high = doubled >> 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#view.getUint16(subtable + 14 + middle * 2) < code) low = middle + 1
      else high = middle
    }
    const at = low * 2
    if (at >= doubled) return 0
    const start = this.#view.getUint16(subtable + 16 + doubled + at)
    return start > code ? 0 : this.#glyphInSegment(subtable, doubled, at, start, code)
  }

  #glyphInSegment(
    subtable: number,
    doubled: number,
    at: number,
    start: number,
    code: number,
  ): number {
    const delta = this.#view.getUint16(subtable + 16 + 2 * doubled + at)
    const place = subtable + 16 + 3 * doubled + at
    const offset = this.#view.getUint16(place)
    if (offset === 0) return (code + delta) & 0xffff
    const glyph = this.#view.getUint16(place + offset + 2 * (code - start))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }

  /** Texts by glyph out of the Unicode maps; of several characters the first in the order of their codes. */
  texts(subtables: readonly CharacterMap[]): Map<number, string> {
    const texts = new Map<number, string>()
    let left = maxGlyphs * 2
    const add = (code: number, glyph: number): void => {
      if (glyph !== 0 && !texts.has(glyph) && code >= 0x20) texts.set(glyph, textOf(code))
      left--
    }
    for (const { offset } of subtables.filter(isUnicode)) {
      try {
        const format = this.#view.getUint16(offset)
        if (format === 4) this.#eachInSegments(offset, add, () => left > 0)
        else if (format === 12) this.#eachInGroups(offset, add, () => left > 0)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
    }
    return texts
  }

  #eachInSegments(
    subtable: number,
    visit: (code: number, glyph: number) => void,
    goesOn: () => boolean,
  ): void {
    const doubled = this.#view.getUint16(subtable + 6)
    for (let at = 0; at < doubled; at += 2) {
      const end = this.#view.getUint16(subtable + 14 + at)
      const start = this.#view.getUint16(subtable + 16 + doubled + at)
      for (let code = start; code <= Math.min(end, 0xfffe) && goesOn(); code++) {
        visit(code, this.#glyphInSegment(subtable, doubled, at, start, code))
      }
    }
  }

  #eachInGroups(
    subtable: number,
    visit: (code: number, glyph: number) => void,
    goesOn: () => boolean,
  ): void {
    const count = this.#view.getUint32(subtable + 12)
    for (let index = 0; index < count && goesOn(); index++) {
      const group = subtable + 16 + index * 12
      const start = this.#view.getUint32(group)
      const end = Math.min(this.#view.getUint32(group + 4), 0x10ffff)
      const glyph = this.#view.getUint32(group + 8)
      for (let code = start; code <= end && goesOn(); code++) visit(code, glyph + code - start)
      if (end < start) visit(0, 0)
    }
  }

  /** By the `post` table; what is in it without a name is null. */
  glyphNames(): (string | null)[] {
    const table = this.#tables.get('post')
    if (!table) return []
    try {
      const format = this.#view.getUint32(table.offset)
      if (format === 0x00010000) return [...macintoshGlyphOrder]
      return format === 0x00020000 ? this.#ownNames(table) : []
    } catch (error) {
      if (error instanceof RangeError) return []
      throw error
    }
  }

  #ownNames({ offset, length }: { offset: number; length: number }): (string | null)[] {
    const count = this.#view.getUint16(offset + 32)
    const own: string[] = []
    const end = Math.min(offset + length, this.#bytes.length)
    for (let at = offset + 34 + count * 2; at < end;) {
      const size = this.#bytes[at] ?? 0
      own.push(Buffer.from(this.#bytes.subarray(at + 1, at + 1 + size)).toString('latin1'))
      at += 1 + size
    }
    return Array.from({ length: count }, (_, glyph) => {
      const index = this.#view.getUint16(offset + 34 + glyph * 2)
      if (index < macintoshGlyphOrder.length) return macintoshGlyphOrder[index] ?? null
      return own[index - macintoshGlyphOrder.length] ?? null
    })
  }
}

function textOf(code: number): string {
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '' : String.fromCodePoint(code)
}
