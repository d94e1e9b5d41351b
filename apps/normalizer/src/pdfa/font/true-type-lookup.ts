import { encodingNames, macintoshCode } from '../../pdf/font/encoding-names.ts'
import { listedGlyphText, textOfGlyphName } from '../../pdf/font/glyph-list.ts'
import type { CharacterMap, TrueTypeProgram } from '../../pdf/font/true-type-program.ts'
import type { FontContext, FontObject } from './font-context.ts'
import type { FontProgram } from './font-programs.ts'
import { trueTypeFontRules, trueTypeMapsRules } from './font-rules.ts'
import {
  type GlyphLookup,
  type ProgramGlyph,
  type SimpleFontFacts,
  undefinedGlyph,
} from './simple-font.ts'

type TrueType = Extract<FontProgram, { kind: 'trueType' }>

/** TrueType fonts find their glyphs by the maps of their programs (ISO 32000-2, 9.6.5.4). */
export class TrueTypeLookup implements GlyphLookup {
  readonly #facts: SimpleFontFacts
  readonly #context: FontContext
  readonly #program: TrueType | null
  /** The font dictionary says by which names; else codes lead to glyphs by themselves. */
  readonly #isByName: boolean

  constructor(facts: SimpleFontFacts, context: FontContext) {
    this.#facts = facts
    this.#context = context
    this.#program = facts.program?.kind === 'trueType' ? facts.program : null
    this.#isByName = !facts.isSymbolic && facts.encoding.isPresent
  }

  check({ place }: FontObject): void {
    const { validation } = this.#context
    const { isSymbolic, encoding } = this.#facts
    const program = this.#program?.program
    const has = (platform: number, own: number): boolean =>
      program !== undefined && mapOf(program, platform, own) !== undefined
    const facts = {
      isSymbolic,
      encoding: encoding.name,
      hasDifferences: encoding.hasDifferences,
      get areDifferencesUnicode() {
        return (
          (program === undefined || has(3, 1)) && [...encoding.differences.values()].every(isListed)
        )
      },
    }
    validation.check(trueTypeFontRules, facts, place)
    if (program === undefined) return
    const maps = {
      isSymbolic,
      maps: program.subtables.length,
      hasSymbolMap: has(3, 0),
      hasUnicodeMap: has(3, 1),
      hasMacintoshMap: has(1, 0),
    }
    validation.check(trueTypeMapsRules, maps, place)
  }

  nameOf(code: number): string | null {
    // What symbolic fonts are called by does not lead to their glyphs.
    return this.#isByName ? this.#encodedName(code) : null
  }

  builtInNameOf(code: number): string | null {
    return this.#facts.isSymbolic ? this.#encodedName(code) : null
  }

  glyphOf(code: number): ProgramGlyph {
    if (this.#program === null) return unknown
    return this.#isByName
      ? this.#glyphByName(this.#program, code)
      : glyphByCode(this.#program, code)
  }

  finish(): void {}

  /** null where the encoding is none that anybody knows. */
  #names(): readonly (string | null)[] | null {
    const { base, name } = this.#facts.encoding
    // Differences without a base are to the standard encoding (table 112).
    if (base !== null && name !== 'MacExpertEncoding') return base
    return this.#facts.encoding.isDictionary ? standardNames() : null
  }

  #encodedName(code: number): string | null {
    const { differences, base, isPresent } = this.#facts.encoding
    const different = differences.get(code)
    if (different !== undefined || !isPresent) return different ?? null
    const names = this.#facts.isSymbolic ? base : this.#names()
    return names && (names[code] ?? undefinedGlyph)
  }

  #glyphByName({ program, metrics, outlines }: TrueType, code: number): ProgramGlyph {
    const names = this.#names()
    if (names === null) return unknown
    const different = this.#facts.encoding.differences.get(code)
    const isDifferent = different !== undefined && different !== undefinedGlyph
    const name = (isDifferent ? different : names[code]) ?? undefinedGlyph
    const mapped = glyphByMaps(program, name)
    const isNamed = mapped === 0 && name !== undefinedGlyph
    const own = isNamed ? (program.glyphNamed(name) ?? outlines()?.named(name) ?? 0) : 0
    const glyph = mapped || own
    const isPresent = (glyph !== 0 || code === 0) && glyph < (metrics.glyphCount ?? Infinity)
    return { isPresent, width: metrics.advanceOf(glyph) }
  }
}

const unknown: ProgramGlyph = { isPresent: null, width: null }

/** By Unicode, else by the encoding of Mac OS; 0 where neither has it. */
function glyphByMaps(program: TrueTypeProgram, name: string): number {
  const unicode = mapOf(program, 3, 1)
  const codePoint = name === undefinedGlyph ? 0 : textOfGlyphName(name)?.codePointAt(0)
  const glyph = unicode && codePoint !== undefined ? program.glyphIn(unicode, codePoint) : 0
  if (glyph !== 0) return glyph
  const macintosh = mapOf(program, 1, 0)
  const own = macintoshCode(name)
  return macintosh && own !== null ? program.glyphIn(macintosh, own) : 0
}

function isListed(name: string): boolean {
  return name === undefinedGlyph || listedGlyphText(name) !== null
}

function standardNames(): readonly (string | null)[] | null {
  return encodingNames('StandardEncoding')
}

function mapOf(
  program: TrueTypeProgram,
  platform: number,
  encoding: number,
): CharacterMap | undefined {
  return program.subtables.find((map) => map.platform === platform && map.encoding === encoding)
}

function glyphByCode({ program, metrics }: TrueType, code: number): ProgramGlyph {
  const glyph = glyphInRightMap(program, code)
  // Code 0 may well mean the glyph 0.
  const isPresent = (glyph !== 0 || code === 0) && glyph < (metrics.glyphCount ?? Infinity)
  if (program.subtables.length === 0) return { isPresent, width: 0 }
  return { isPresent, width: metrics.advanceOf(glyph || glyphInAnyMap(program, code)) }
}

/** In the map for symbols, if there is one; else in that of Mac OS. */
function glyphInRightMap(program: TrueTypeProgram, code: number): number {
  const symbols = mapOf(program, 3, 0)
  if (symbols !== undefined) return symbolGlyph(program, symbols, code)
  const macintosh = mapOf(program, 1, 0)
  return macintosh === undefined ? 0 : program.glyphIn(macintosh, code)
}

/** Codes of symbol maps stand in a part of the private use area. */
function symbolGlyph(program: TrueTypeProgram, map: CharacterMap, code: number): number {
  for (const base of [0xf000, 0, 0xf100, 0xf200]) {
    const glyph = program.glyphIn(map, base + code)
    if (glyph !== 0) return glyph
  }
  return 0
}

/** What a viewer may show where the maps that count do not lead to a glyph. */
function glyphInAnyMap(program: TrueTypeProgram, code: number): number {
  for (const [platform, encoding] of [
    [1, 0],
    [3, 1],
    [0, 3],
    [0, 1],
    [0, 0],
  ] as const) {
    const map = mapOf(program, platform, encoding)
    const glyph = map === undefined ? 0 : program.glyphIn(map, code)
    if (glyph !== 0) return glyph
  }
  return 0
}
