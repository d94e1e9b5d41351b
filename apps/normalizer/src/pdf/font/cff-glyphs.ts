import { charStringWidth } from './charstring-width.ts'
import { CffData, type CffDictionary, type CffIndex, cffOperators } from './cff-data.ts'
import { type CffProgram, cffProgram } from './cff-program.ts'

/** The glyphs of a Compact Font Format program (Adobe Technical Note 5176) as they are drawn. */
export interface CffGlyphs {
  readonly program: CffProgram
  readonly count: number
  /** In thousandths of an em; null where the charstring does not say it in a way that is known. */
  widthOf(glyph: number): number | null
  /** By its name; null where there is none, and in all of a CID-keyed program. */
  named(name: string): number | null
  /** Of a CID-keyed program by its identifier; null where there is none. */
  identified(identifier: number): number | null
  /** Identifiers by glyph; those of strings where the program is not CID-keyed. */
  readonly identifiers: readonly number[]
  /** Without `.notdef`; empty in a CID-keyed program. */
  readonly names: ReadonlySet<string>
}

/** null for a program that cannot be read, or part of which lies past the end. */
export function readCffGlyphs(bytes: Uint8Array): CffGlyphs | null {
  try {
    const data = new CffData(bytes)
    return new Glyphs(cffProgram(data), data)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** What the charstrings of one font dictionary share (sections 15 and 16). */
interface PrivateData {
  readonly defaultWidth: number
  readonly nominalWidth: number
  readonly subroutines: CffIndex
  /** Thousandths of an em in a unit of the charstrings. */
  readonly scale: number
}

const noIndex: CffIndex = { count: 0, end: 0, item: () => [0, 0] }
/** More than any program has; one byte selects them. */
const maxFontDictionaries = 256

class Glyphs implements CffGlyphs {
  readonly program: CffProgram
  readonly count: number
  readonly identifiers: readonly number[]
  readonly #data: CffData
  readonly #charStrings: CffIndex
  readonly #private: readonly PrivateData[]
  readonly #select: (glyph: number) => number
  readonly #widths = new Map<number, number | null>()
  #byName: ReadonlyMap<string, number> | null = null
  #names: ReadonlySet<string> | null = null
  #byIdentifier: ReadonlyMap<number, number> | null = null

  /** @throws {RangeError} when part of the program lies past the end */
  constructor(program: CffProgram, data: CffData) {
    this.program = program
    this.#data = data
    const { top } = data
    const offset = top.get(cffOperators.charStrings)?.[0]
    if (offset === undefined) throw new RangeError('no charstrings')
    this.#charStrings = within(data, data.index(offset))
    within(data, data.globalSubroutines)
    this.count = this.#charStrings.count
    this.identifiers = data.charset(top.get(cffOperators.charset)?.[0] ?? 0, this.count)
    const scale = unitScale(top)
    if (!program.isCidKeyed) {
      this.#private = [privateData(data, top, scale)]
      this.#select = () => 0
      return
    }
    const list = data.index(top.get(cffOperators.fontDictionaries)?.[0] ?? 0)
    this.#private = Array.from(
      { length: Math.min(list.count, maxFontDictionaries) },
      (_, index) => {
        const own = data.dictionary(...list.item(index))
        // Technical Note 5176, section 9: both matrices count where both are there.
        const hasBoth = own.has(cffOperators.fontMatrix) && top.has(cffOperators.fontMatrix)
        const ownScale = own.has(cffOperators.fontMatrix) ? unitScale(own) : scale
        return privateData(data, own, hasBoth ? (ownScale * scale) / 1000 : ownScale)
      },
    )
    this.#select = data.fontSelect(top.get(cffOperators.fontSelect)?.[0] ?? 0, this.count)
  }

  get names(): ReadonlySet<string> {
    this.#names ??= new Set(this.#named().keys())
    return this.#names
  }

  named(name: string): number | null {
    return name === '.notdef' ? 0 : (this.#named().get(name) ?? null)
  }

  identified(identifier: number): number | null {
    if (!this.program.isCidKeyed) return null
    if (this.#byIdentifier === null) {
      const glyphs = new Map<number, number>()
      for (const [glyph, own] of this.identifiers.entries()) {
        if (!glyphs.has(own)) glyphs.set(own, glyph)
      }
      this.#byIdentifier = glyphs
    }
    return this.#byIdentifier.get(identifier) ?? null
  }

  widthOf(glyph: number): number | null {
    if (glyph < 0 || glyph >= this.count) return null
    const known = this.#widths.get(glyph)
    if (known !== undefined) return known
    const width = this.#findWidth(glyph)
    this.#widths.set(glyph, width)
    return width
  }

  #findWidth(glyph: number): number | null {
    try {
      const shared = this.#private[this.#select(glyph)]
      if (shared === undefined) return null
      const [start, end] = this.#charStrings.item(glyph)
      const width = charStringWidth(this.#data.bytes.subarray(start, end), {
        local: this.#subroutines(shared.subroutines),
        global: this.#subroutines(this.#data.globalSubroutines),
      })
      if (width === null) return null
      const units = width === 'default' ? shared.defaultWidth : shared.nominalWidth + width
      return units * shared.scale
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }

  #subroutines(index: CffIndex): (number: number) => Uint8Array | null {
    // Technical Note 5177, section 4.7.
    const bias = index.count < 1240 ? 107 : index.count < 33_900 ? 1131 : 32_768
    return (number) => {
      const at = number + bias
      if (!(at >= 0 && at < index.count)) return null
      return this.#data.bytes.subarray(...index.item(at))
    }
  }

  #named(): ReadonlyMap<string, number> {
    if (this.#byName !== null) return this.#byName
    const glyphs = new Map<string, number>()
    if (!this.program.isCidKeyed) {
      for (let glyph = 1; glyph < this.count; glyph++) {
        const name = this.program.nameOf(glyph)
        if (name !== null && name !== '.notdef' && !glyphs.has(name)) glyphs.set(name, glyph)
      }
    }
    this.#byName = glyphs
    return glyphs
  }
}

function privateData(data: CffData, font: CffDictionary, scale: number): PrivateData {
  const [size = 0, offset = 0] = font.get(cffOperators.private) ?? []
  if (offset < 0 || size < 0 || offset + size > data.bytes.length) {
    throw new RangeError('the private dictionary lies past the end')
  }
  const entries = data.dictionary(offset, offset + size)
  const subroutines = entries.get(cffOperators.subroutines)?.[0]
  return {
    defaultWidth: entries.get(cffOperators.defaultWidth)?.[0] ?? 0,
    nominalWidth: entries.get(cffOperators.nominalWidth)?.[0] ?? 0,
    subroutines:
      subroutines === undefined ? noIndex : within(data, data.index(offset + subroutines)),
    scale,
  }
}

function within(data: CffData, index: CffIndex): CffIndex {
  if (index.end > data.bytes.length) throw new RangeError('a list lies past the end')
  return index
}

function unitScale(font: CffDictionary): number {
  const scale = font.get(cffOperators.fontMatrix)?.[0] ?? 0
  return scale === 0 ? 1 : scale * 1000
}
