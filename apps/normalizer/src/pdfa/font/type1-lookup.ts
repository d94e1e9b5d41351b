import type { CffGlyphs } from '../../pdf/font/cff-glyphs.ts'
import { encodingNames } from '../../pdf/font/encoding-names.ts'
import type { Type1Glyphs } from '../../pdf/font/type1-glyphs.ts'
import { PdfString } from '../../pdf/object.ts'
import type { FontContext, FontObject } from './font-context.ts'
import { isSubset } from './font-entries.ts'
import { type1SubsetRules, usedType1SubsetRules } from './font-rules.ts'
import {
  encodedName,
  type GlyphLookup,
  type ProgramGlyph,
  type SimpleFontFacts,
  standardFonts,
  undefinedGlyph,
} from './simple-font.ts'

/** Type 1 fonts find their glyphs by names (ISO 32000-2, 9.6.2.2 and 9.6.5.2). */
export class Type1Lookup implements GlyphLookup {
  readonly #facts: SimpleFontFacts
  readonly #context: FontContext

  constructor(facts: SimpleFontFacts, context: FontContext) {
    this.#facts = facts
    this.#context = context
  }

  check({ place }: FontObject): void {
    const { name, program } = this.#facts
    if (!isSubset(name)) return
    const listed = this.#listedNames()
    const facts = {
      hasProgram: program !== null,
      hasList: listed !== null,
      get isListExact() {
        const names = programNames(program)
        return (
          names === null ||
          (listed !== null && isSubsetOf(listed, names) && isSubsetOf(names, listed))
        )
      },
    }
    this.#context.validation.check(type1SubsetRules, facts, place)
  }

  nameOf(code: number): string | null {
    const { differences, base } = this.#facts.encoding
    const names = base ?? (this.#isBareLatin ? encodingNames('StandardEncoding') : null)
    return differences.get(code) ?? (names && (names[code] ?? undefinedGlyph))
  }

  builtInNameOf(code: number): string | null {
    const { program } = this.#facts
    if (program?.kind === 'type1') return encodedByType1(program.glyphs, code)
    return program?.kind === 'cff' ? encodedByCff(program.glyphs, code) : null
  }

  glyphOf(code: number): ProgramGlyph {
    const { program } = this.#facts
    const named = this.nameOf(code)
    if (program?.kind === 'type1') {
      const name = named ?? encodedByType1(program.glyphs, code) ?? undefinedGlyph
      const width = program.glyphs.widthOf(name)
      // Code 0 may well mean that there is nothing to show.
      const isPresent = width !== null && (name !== undefinedGlyph || code === 0)
      return { isPresent, width: width ?? 0 }
    }
    if (program?.kind !== 'cff' || program.glyphs.program.isCidKeyed) return unknown
    const { glyphs } = program
    const name = named ?? (encodedByCff(glyphs, code) || undefinedGlyph)
    const glyph = glyphs.named(name)
    return { isPresent: glyph !== null, width: glyphs.widthOf(glyph ?? 0) }
  }

  finish({ place }: FontObject, shown: readonly number[]): void {
    const { name, program } = this.#facts
    if (!isSubset(name)) return
    const listed = this.#listedNames()
    const names = programNames(program)
    const areAllListed = shown.every((code) => {
      const own = this.nameOf(code)
      return own === null || !names?.has(own) || listed?.has(own)
    })
    const facts = { hasProgram: program !== null, hasList: listed !== null, areAllListed }
    this.#context.validation.check(usedType1SubsetRules, facts, place)
  }

  /** One of the standard fourteen that has but its name: their own encoding is known. */
  get #isBareLatin(): boolean {
    const { program, name, descriptor } = this.#facts
    const isLatin = name !== null && standardFonts.has(name) && !/^(Symbol|Zapf)/.test(name)
    return isLatin && program === null && descriptor.size === 0
  }

  /** `/CharSet` (table 120): `/A/B/space`; null where there is none. */
  #listedNames(): ReadonlySet<string> | null {
    const value = this.#context.graph.resolve(this.#facts.descriptor.get('CharSet'))
    if (!(value instanceof PdfString)) return null
    const [, ...names] = Buffer.from(value.bytes).toString('latin1').split('/')
    return new Set(names.map((name) => name.trim()).filter((name) => name !== undefinedGlyph))
  }
}

const unknown: ProgramGlyph = { isPresent: null, width: null }

/** Without `.notdef`; null where the program does not name its glyphs. */
function programNames(program: SimpleFontFacts['program']): ReadonlySet<string> | null {
  if (program?.kind === 'type1') return program.glyphs.names
  if (program?.kind !== 'cff' || program.glyphs.program.isCidKeyed) return null
  return program.glyphs.names
}

function isSubsetOf(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const name of some) if (!all.has(name)) return false
  return true
}

function encodedByType1({ encoding }: Type1Glyphs, code: number): string | null {
  if (encoding === 'standard') return encodedName('StandardEncoding', code)
  return encoding && (encoding.get(code) ?? undefinedGlyph)
}

/** Empty for a code that a program with an encoding of its own does not have. */
function encodedByCff({ program }: CffGlyphs, code: number): string | null {
  if (program.isCidKeyed) return null
  if (program.encoding !== null) return encodedName(program.encoding, code)
  const glyph = program.glyphOf(code)
  return glyph === null ? '' : (program.nameOf(glyph) ?? undefinedGlyph)
}
