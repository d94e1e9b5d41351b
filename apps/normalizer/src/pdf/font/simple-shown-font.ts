import { Encodings, Font, FontNames } from '@pdf-lib/standard-fonts'
import type { FontGraph } from '../content/content-graph.ts'
import { standardFor } from '../form/standard-font.ts'
import { isName, PdfDictionary } from '../object.ts'
import { numbersOf } from '../rectangle.ts'
import { type Encoding, namedEncoding } from './base-encoding.ts'
import type { CharacterBuffer } from './character-buffer.ts'
import { type CodeTable, textOfCode } from './character-code-map.ts'
import { encodingDifferences } from './encoding-differences.ts'
import { baseFontName, fontDescriptor, toUnicodeTable, verticalReach } from './font-dictionary.ts'
import { embeddedProgram, type FontProgram } from './font-program.ts'
import { textOfGlyphName } from './glyph-list.ts'
import { cleanText, unknownGlyph } from './glyph-text.ts'
import type { ShownFont, StringMeasure } from './shown-font.ts'

/** A font whose codes are bytes (ISO 32000-2, 9.6). */
export class SimpleShownFont implements ShownFont {
  readonly isVertical = false
  readonly em: number
  readonly ascent: number
  readonly descent: number
  readonly #graph: FontGraph
  readonly #font: PdfDictionary
  readonly #descriptor: PdfDictionary
  /** In text space for a text size of 1. */
  readonly #widths: Float64Array
  /** UTF-16 code units; 0 for nothing. */
  readonly #units = new Uint16Array(256).fill(unread)
  /** Texts of other than one unit. */
  readonly #texts: string[] = []
  /** undefined until somebody asks for text. */
  #toUnicode: CodeTable<string> | null | undefined
  readonly #differences: ReadonlyMap<number, string>
  readonly #base: Encoding | null
  readonly #isType3: boolean
  readonly #isDingbats: boolean
  #program: FontProgram | null | undefined

  constructor(graph: FontGraph, font: PdfDictionary) {
    const name = baseFontName(graph, font)
    this.#graph = graph
    this.#font = font
    this.#descriptor = fontDescriptor(graph, font)
    this.#isType3 = isName(graph.resolve(font.get('Subtype')), 'Type3')
    this.#isDingbats = /^zapfdingbats/i.test(name)
    this.#differences = encodingDifferences(graph, graph.resolve(font.get('Encoding'))) ?? new Map()
    this.#base = baseEncoding(graph, font, this.#descriptor, name)
    this.#widths = widthsOf(graph, font, this.#descriptor, name)
    this.em = this.#isType3 ? emOfType3(this.#widths) : 1
    const reach = verticalReach(graph, this.#descriptor)
    this.ascent = reach.ascent
    this.descent = reach.descent
  }

  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    characters: CharacterBuffer | null,
    measure: StringMeasure,
  ): void {
    let width = 0
    let spaces = 0
    for (let at = start; at < end; at++) {
      const code = bytes[at] ?? 0
      width += this.#widths[code] ?? 0
      if (code === 32) spaces++
      if (characters === null) continue
      const unit = this.#units[code] ?? 0
      if (unit < unread) {
        if (unit !== 0) characters.put(unit)
      } else characters.putText(this.#textOf(code))
    }
    measure.width = width
    measure.glyphs = end - start
    measure.spaces = spaces
  }

  #textOf(code: number): string {
    const known = this.#texts[code]
    if (known !== undefined) return known
    const text = this.#findText(code)
    this.#texts[code] = text
    if (text.length === 0) this.#units[code] = 0
    else if (text.length === 1 && text.charCodeAt(0) < unread) {
      this.#units[code] = text.charCodeAt(0)
    }
    return text
  }

  /** 9.10.2: by ToUnicode; else by the glyph's name; else by what the program knows. */
  #findText(code: number): string {
    if (this.#toUnicode === undefined) {
      this.#toUnicode = toUnicodeTable(this.#graph, this.#font)
    }
    const mapped = cleanText((this.#toUnicode && textOfCode(this.#toUnicode, code)) ?? '')
    if (mapped !== '') return mapped
    const name = this.#differences.get(code)
    if (name === '.notdef') return ''
    if (name !== undefined) {
      const named = textOfGlyphName(name, this.#isDingbats)
      return (named === null ? null : cleanText(named)) ?? unknownGlyph(code)
    }
    const encoded = this.#base?.[code] ?? ''
    if (encoded !== '') return encoded
    if (this.#program === undefined) {
      this.#program = embeddedProgram(this.#graph, this.#descriptor)
    }
    const builtIn = cleanText(this.#program?.textOfCode(code) ?? '')
    if (builtIn !== '') return builtIn
    return this.#program || this.#isType3 ? unknownGlyph(code) : ''
  }
}

/** In `#units`: look into `#texts`. */
const unread = 0xffff

/** Table 112; null where the program's own encoding counts. */
function baseEncoding(
  graph: FontGraph,
  font: PdfDictionary,
  descriptor: PdfDictionary,
  name: string,
): Encoding | null {
  const encoding = graph.resolve(font.get('Encoding'))
  const named =
    encoding instanceof PdfDictionary ? graph.resolve(encoding.get('BaseEncoding')) : encoding
  const given = isName(named) ? namedEncoding(named.value) : null
  if (given) return given
  if (/^symbol/i.test(name)) return namedEncoding('Symbol')
  if (/^zapfdingbats/i.test(name)) return namedEncoding('ZapfDingbats')
  // An entry that leads to nothing is as good as none (7.3.7), and the output does not have it.
  const isEmbedded = ['FontFile', 'FontFile2', 'FontFile3'].some(
    (key) => graph.resolve(descriptor.get(key)) !== null,
  )
  const flags = graph.resolve(descriptor.get('Flags'))
  // Table 121, bit 3: symbolic.
  const isSymbolic = typeof flags === 'number' && (flags & 4) !== 0
  const isTrueType = isName(graph.resolve(font.get('Subtype')), 'TrueType')
  const isType3 = isName(graph.resolve(font.get('Subtype')), 'Type3')
  if (isType3 || (isEmbedded && (isSymbolic || !isTrueType))) return null
  return namedEncoding(isSymbolic ? 'WinAnsiEncoding' : 'StandardEncoding')
}

/** 9.6.2 and 9.6.4, in text space for a text size of 1. */
function widthsOf(
  graph: FontGraph,
  font: PdfDictionary,
  descriptor: PdfDictionary,
  name: string,
): Float64Array {
  const widths = new Float64Array(256)
  const list = graph.resolve(font.get('Widths'))
  if (!Array.isArray(list)) return standardWidths(name)
  const [scale = 0.001] = numbersOf(graph, font.get('FontMatrix'), 6) ?? []
  const missing = graph.resolve(descriptor.get('MissingWidth'))
  if (typeof missing === 'number') widths.fill(missing * scale)
  const firstCode = graph.resolve(font.get('FirstChar'))
  const first = typeof firstCode === 'number' ? firstCode : 0
  for (let code = Math.max(0, first); code < 256 && code - first < list.length; code++) {
    const width = graph.resolve(list[code - first])
    if (typeof width === 'number') widths[code] = width * scale
  }
  return widths
}

/** Those of the standard font (9.6.2.2) that is closest by its name; codes as in WinAnsiEncoding or its own. */
function standardWidths(name: string): Float64Array {
  const face = faces.get(standardFor(name)) ?? FontNames.Helvetica
  const own = face === FontNames.Symbol || face === FontNames.ZapfDingbats ? face : null
  const { [own ?? 'WinAnsi']: names } = Encodings
  const characters = namedEncoding(own ?? 'WinAnsiEncoding') ?? []
  const font = Font.load(face)
  return Float64Array.from({ length: 256 }, (_, code) => {
    const character = characters[code]?.codePointAt(0)
    if (character === undefined || !names.canEncodeUnicodeCodePoint(character)) return 0.5
    const glyph = names.encodeUnicodeCodePoint(character)
    return (font.getWidthOfGlyph(glyph.name) ?? 500) / 1000
  })
}

const faces: ReadonlyMap<string, FontNames> = new Map(
  Object.values(FontNames).map((face) => [face, face]),
)

/** Glyph space has no fixed size in these (9.6.4): a letter is half an em wide on average. */
function emOfType3(widths: Float64Array): number {
  const shown = widths.filter((width) => width > 0)
  const sum = shown.reduce((total, width) => total + width, 0)
  return shown.length === 0 ? 1 : (2 * sum) / shown.length
}
