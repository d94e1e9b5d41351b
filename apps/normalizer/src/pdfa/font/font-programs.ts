import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { type CffGlyphs, readCffGlyphs } from '../../pdf/font/cff-glyphs.ts'
import { fontStream } from '../../pdf/font/font-stream.ts'
import {
  type GlyphMetrics,
  readTrueType,
  type TrueTypeProgram,
} from '../../pdf/font/true-type-program.ts'
import { readType1Glyphs, type Type1Glyphs } from '../../pdf/font/type1-glyphs.ts'
import { type PdfDictionary, PdfStream } from '../../pdf/object.ts'
import { nameAt } from './font-entries.ts'

/** An embedded font program as its glyphs are found in it. */
export type FontProgram =
  | { readonly kind: 'type1'; readonly glyphs: Type1Glyphs }
  | { readonly kind: 'cff'; readonly glyphs: CffGlyphs }
  | {
      readonly kind: 'trueType'
      readonly program: TrueTypeProgram
      readonly metrics: GlyphMetrics
      /** Of an OpenType program with such outlines. */
      readonly outlines: () => CffGlyphs | null
    }

/** The font programs of one document, each read once. */
export class FontPrograms {
  readonly #graph: FontGraph
  readonly #read = new Map<PdfStream, Map<FontForm, FontProgram | null>>()

  constructor(graph: FontGraph) {
    this.#graph = graph
  }

  /**
   * The program that a font's descriptor has for a font of its type (ISO 32000-2, table 124); null where there is none, or none
   * that can be read.
   *
   * @throws {ContentBudgetError} when the document's budget is used up
   */
  of(fontType: string | null, descriptor: PdfDictionary): FontProgram | null {
    for (const key of ['FontFile', 'FontFile2', 'FontFile3'] as const) {
      const stream = this.#graph.resolve(descriptor.get(key))
      if (!(stream instanceof PdfStream)) continue
      const form = formOf(fontType, key, nameAt(this.#graph, stream.dictionary.get('Subtype')))
      if (form !== null) return this.#program(stream, form)
    }
    return null
  }

  #program(stream: PdfStream, form: FontForm): FontProgram | null {
    const forms = this.#read.get(stream) ?? new Map<FontForm, FontProgram | null>()
    this.#read.set(stream, forms)
    const known = forms.get(form)
    if (known !== undefined) return known
    const bytes = fontStream(this.#graph, stream)
    const program = bytes && readProgram(bytes, form)
    forms.set(form, program)
    return program
  }
}

type FontForm = 'type1' | 'compact' | 'outlines' | 'trueType'

function formOf(
  fontType: string | null,
  key: 'FontFile' | 'FontFile2' | 'FontFile3',
  subtype: string | null,
): FontForm | null {
  switch (fontType) {
    case 'Type1':
    case 'MMType1':
      if (key === 'FontFile') return 'type1'
      return key === 'FontFile3' ? compactForm(subtype, 'Type1C') : null
    case 'TrueType':
      return key === 'FontFile' ? null : 'trueType'
    case 'CIDFontType0':
      return key === 'FontFile3' ? compactForm(subtype, 'CIDFontType0C') : null
    case 'CIDFontType2':
      if (key === 'FontFile2') return 'trueType'
      if (key === 'FontFile' || subtype === null) return null
      return subtype === 'OpenType' ? 'trueType' : compactForm(subtype, 'CIDFontType0C')
    default:
      return null
  }
}

function compactForm(subtype: string | null, bare: string): FontForm | null {
  if (subtype === bare) return 'compact'
  return subtype === 'OpenType' ? 'outlines' : null
}

function readProgram(bytes: Uint8Array, form: FontForm): FontProgram | null {
  if (form === 'type1') {
    const glyphs = readType1Glyphs(bytes)
    return glyphs && { kind: 'type1', glyphs }
  }
  if (form === 'compact') {
    const glyphs = readCffGlyphs(bytes)
    return glyphs && { kind: 'cff', glyphs }
  }
  const program = readTrueType(bytes)
  if (program === null) return null
  const outlines = (): CffGlyphs | null => {
    const table = program.table('CFF ')
    return table && readCffGlyphs(bytes.subarray(table.offset, table.offset + table.length))
  }
  if (form === 'outlines') {
    const glyphs = outlines()
    return glyphs && { kind: 'cff', glyphs }
  }
  const { metrics } = program
  return metrics && { kind: 'trueType', program, metrics, outlines: once(outlines) }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
