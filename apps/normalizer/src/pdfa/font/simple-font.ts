import { fontDescriptor } from '../../pdf/font/font-dictionary.ts'
import { encodingNames } from '../../pdf/font/encoding-names.ts'
import { listedDingbatText, listedGlyphText } from '../../pdf/font/glyph-list.ts'
import type { PdfDictionary } from '../../pdf/object.ts'
import { checkFontName } from './check-font-name.ts'
import {
  allJudged,
  type FontContext,
  type FontObject,
  Judged,
  leftToJudge,
  type Showing,
  type UsedFont,
} from './font-context.ts'
import { fontFacts, isSymbolic, nameAt } from './font-entries.ts'
import type { FontProgram } from './font-programs.ts'
import { fontRules, renderedFontRules, simpleFontRules } from './font-rules.ts'
import { renderedGlyphRules, shownGlyphRules } from './glyph-rules.ts'
import { type SimpleEncoding, simpleEncoding } from './simple-encoding.ts'
import { SimpleWidths } from './simple-widths.ts'
import { ToUnicodeMap } from './to-unicode-map.ts'

/** A simple font as its glyphs are looked up. */
export interface SimpleFontFacts {
  readonly dictionary: PdfDictionary
  readonly descriptor: PdfDictionary
  readonly subtype: string
  readonly name: string | null
  readonly encoding: SimpleEncoding
  readonly isSymbolic: boolean
  readonly program: FontProgram | null
}

/** What kind of simple font it is decides how codes come to glyphs. */
export interface GlyphLookup {
  /** Rules for fonts of this kind. */
  check(object: FontObject): void
  /** By the font dictionary alone; null where that does not tell. */
  nameOf(code: number): string | null
  /** Where the dictionary does not tell; null where nothing does. An empty one is a name that nobody knows. */
  builtInNameOf(code: number): string | null
  glyphOf(code: number): ProgramGlyph
  /** What part 1 asks for when all text has been seen. */
  finish(object: FontObject, shown: readonly number[]): void
}

export interface ProgramGlyph {
  /** null where no program says it. */
  readonly isPresent: boolean | null
  /** In thousandths of an em. */
  readonly width: number | null
}

export const undefinedGlyph = '.notdef'

/** A font whose codes are bytes, with a font program: Type 1 or TrueType (ISO 32000-2, 9.6.2 and 9.6.3). */
export class SimpleFont implements UsedFont {
  readonly #context: FontContext
  readonly #object: FontObject
  readonly #facts: SimpleFontFacts
  readonly #lookup: GlyphLookup
  readonly #widths: SimpleWidths
  readonly #toUnicode: ToUnicodeMap
  readonly #judged = new Uint8Array(256)
  #isRendered = false

  constructor(
    context: FontContext,
    object: FontObject,
    subtype: string,
    lookup: (facts: SimpleFontFacts, context: FontContext) => GlyphLookup,
  ) {
    const { graph } = context
    const { dictionary } = object
    const descriptor = fontDescriptor(graph, dictionary)
    this.#context = context
    this.#object = object
    this.#facts = {
      dictionary,
      descriptor,
      subtype,
      name: nameAt(graph, dictionary.get('BaseFont')),
      encoding: simpleEncoding(graph, dictionary),
      isSymbolic: isSymbolic(graph, descriptor),
      program: context.programs.of(subtype, descriptor),
    }
    this.#lookup = lookup(this.#facts, context)
    this.#widths = new SimpleWidths(graph, dictionary)
    this.#toUnicode = new ToUnicodeMap(graph, dictionary)
    this.#check()
  }

  show(bytes: Uint8Array, start: number, end: number, showing: Showing): void {
    if (showing.isRendered && !this.#isRendered) this.#checkRendered(showing)
    const codes = this.#judged
    const all = allJudged(showing)
    for (let at = start; at < end; at++) {
      const code = bytes[at] ?? 0
      const judged = codes[code] ?? 0
      if ((judged & all) === all) continue
      const left = leftToJudge(judged, showing)
      if (left === 0) continue
      codes[code] = judged | left
      this.#judge(code, left, showing)
    }
  }

  finish(): void {
    if (this.#context.validation.part !== 1) return
    const shown = [...this.#judged.keys()].filter((code) => this.#judged[code] !== 0)
    this.#lookup.finish(this.#object, shown)
  }

  #check(): void {
    const { validation, graph } = this.#context
    const { dictionary, place } = this.#object
    const { subtype, name, program } = this.#facts
    validation.check(fontRules, fontFacts(graph, dictionary, subtype), place)
    checkFontName(this.#context, dictionary.get('BaseFont'), place)
    const { firstCode, lastCode, list } = this.#widths
    const isStandard =
      subtype !== 'TrueType' && name !== null && standardFonts.has(name) && program === null
    const widths = list === null ? null : list.length
    validation.check(simpleFontRules, { isStandard, firstCode, lastCode, widths }, place)
    this.#lookup.check(this.#object)
  }

  #checkRendered({ page }: Showing): void {
    this.#isRendered = true
    const { name, subtype, program } = this.#facts
    const facts = { name, subtype, hasProgram: program !== null, hasGlyphMap: true }
    const place = { ...this.#object.place, page }
    this.#context.validation.check(renderedFontRules, facts, place)
  }

  #judge(code: number, left: number, { hasActualText, page }: Showing): void {
    const { validation } = this.#context
    const place = { ...this.#object.place, page }
    const isUndefined = this.#lookup.nameOf(code) === undefinedGlyph
    if (left & Judged.rendered) {
      const { isPresent, width: programWidth } = this.#lookup.glyphOf(code)
      const width = this.#widths.of(code)
      const facts = { code, isPresent, isUndefined, programWidth, width }
      validation.check(renderedGlyphRules, facts, place)
    }
    if (left & ~Judged.rendered) {
      const facts = { code, isUndefined, text: this.#textOf(code), hasActualText }
      validation.check(shownGlyphRules, facts, place)
    }
  }

  /** ISO 19005-2, 6.2.11.7.2: by ToUnicode, else by the name of the glyph in the Adobe lists. */
  #textOf(code: number): string | null {
    const mapped = this.#toUnicode.textOf(code)
    if (mapped !== null) return mapped
    const name = this.#lookup.nameOf(code) ?? this.#lookup.builtInNameOf(code)
    if (name === null || name === '') return name
    if (name === undefinedGlyph) return '\0'
    const text = listedGlyphText(name)
    return text !== null || this.#context.validation.part === 1 ? text : listedDingbatText(name)
  }
}

/** ISO 32000-1, 9.6.2.2. */
export const standardFonts: ReadonlySet<string> = new Set([
  'Courier',
  'Courier-Bold',
  'Courier-BoldOblique',
  'Courier-Oblique',
  'Helvetica',
  'Helvetica-Bold',
  'Helvetica-BoldOblique',
  'Helvetica-Oblique',
  'Times-Roman',
  'Times-Bold',
  'Times-BoldItalic',
  'Times-Italic',
  'Symbol',
  'ZapfDingbats',
])

/** The name that a named encoding has for a code. */
export function encodedName(encoding: string, code: number): string {
  return encodingNames(encoding)?.[code] ?? undefinedGlyph
}
