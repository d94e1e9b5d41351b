import { ContentScanner } from '../../pdf/content/content-scanner.ts'
import { operatorCode } from '../../pdf/content/content-scanner.ts'
import { fontStream } from '../../pdf/font/font-stream.ts'
import { listedDingbatText, listedGlyphText } from '../../pdf/font/glyph-list.ts'
import { PdfDictionary, PdfStream } from '../../pdf/object.ts'
import { checkFontName } from './check-font-name.ts'
import {
  type FontContext,
  type FontObject,
  Judged,
  leftToJudge,
  type Showing,
  type UsedFont,
} from './font-context.ts'
import { fontFacts } from './font-entries.ts'
import { fontRules, simpleFontRules } from './font-rules.ts'
import { renderedGlyphRules, shownGlyphRules } from './glyph-rules.ts'
import { type SimpleEncoding, simpleEncoding } from './simple-encoding.ts'
import { undefinedGlyph } from './simple-font.ts'
import { SimpleWidths } from './simple-widths.ts'
import { ToUnicodeMap } from './to-unicode-map.ts'

/** A font whose glyphs are content streams (ISO 32000-2, 9.6.4). */
export class Type3Font implements UsedFont {
  readonly #context: FontContext
  readonly #object: FontObject
  readonly #encoding: SimpleEncoding
  readonly #procedures: PdfDictionary | null
  readonly #widths: SimpleWidths
  readonly #toUnicode: ToUnicodeMap
  readonly #judged = new Uint8Array(256)

  constructor(context: FontContext, object: FontObject) {
    const { graph, validation } = context
    const { dictionary, place } = object
    const procedures = graph.resolve(dictionary.get('CharProcs'))
    this.#context = context
    this.#object = object
    this.#encoding = simpleEncoding(graph, dictionary)
    this.#procedures = procedures instanceof PdfDictionary ? procedures : null
    this.#widths = new SimpleWidths(graph, dictionary)
    this.#toUnicode = new ToUnicodeMap(graph, dictionary)
    validation.check(fontRules, fontFacts(graph, dictionary, 'Type3'), place)
    checkFontName(context, dictionary.get('BaseFont'), place)
    checkFontName(context, dictionary.get('Name'), place)
    const { firstCode, lastCode, list } = this.#widths
    const widths = list === null ? null : list.length
    validation.check(simpleFontRules, { isStandard: false, firstCode, lastCode, widths }, place)
  }

  show(bytes: Uint8Array, start: number, end: number, showing: Showing): void {
    for (let at = start; at < end; at++) {
      const code = bytes[at] ?? 0
      const judged = this.#judged[code] ?? 0
      const left = leftToJudge(judged, showing)
      if (left === 0) continue
      this.#judged[code] = judged | left
      this.#judge(code, left, showing)
    }
  }

  finish(): void {}

  #judge(code: number, left: number, { hasActualText, page }: Showing): void {
    const { validation, graph } = this.#context
    const place = { ...this.#object.place, page }
    const { differences, base } = this.#encoding
    const name = differences.get(code) ?? (base && (base[code] ?? undefinedGlyph))
    if (left & Judged.rendered) {
      const procedure = graph.resolve(name === null ? null : this.#procedures?.get(name))
      const facts = {
        code,
        isPresent: procedure instanceof PdfStream,
        // Procedures are not embedded, and one of that name may be there.
        isUndefined: false,
        programWidth: procedure instanceof PdfStream ? this.#widthOf(procedure) : 0,
        width: this.#widths.of(code),
      }
      validation.check(renderedGlyphRules, facts, place)
    }
    if (left & ~Judged.rendered) {
      const isUndefined = name === undefinedGlyph
      const facts = { code, isUndefined, text: this.#textOf(code, name), hasActualText }
      validation.check(shownGlyphRules, facts, place)
    }
  }

  /** The first operator of a glyph's procedure is `d0` or `d1`, its first operand the width, in glyph space as in `/Widths`. */
  #widthOf(procedure: PdfStream): number {
    const content = fontStream(this.#context.graph, procedure)
    if (content === null) return 0
    const scanner = new ContentScanner()
    scanner.open(content)
    const operator = scanner.next()
    return operator === d0 || operator === d1 ? scanner.number(0) : 0
  }

  /** ISO 19005-1, 6.3.8, knows no names of Type 3 glyphs. */
  #textOf(code: number, name: string | null): string | null {
    const mapped = this.#toUnicode.textOf(code)
    if (mapped !== null || name === null || this.#context.validation.part === 1) return mapped
    if (name === undefinedGlyph) return '\0'
    return listedGlyphText(name) ?? listedDingbatText(name)
  }
}

const d0 = operatorCode('d0')
const d1 = operatorCode('d1')
