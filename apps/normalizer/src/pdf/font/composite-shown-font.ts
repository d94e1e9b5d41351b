import type { FontGraph } from '../content/content-graph.ts'
import { isName, PdfDictionary, type PdfObject, PdfString } from '../object.ts'
import type { CharacterBuffer } from './character-buffer.ts'
import { type CodeTable, textOfCode } from './character-code-map.ts'
import { type CodeReader, codeReader } from './code-reader.ts'
import { collectionText } from './character-collection.ts'
import { fontDescriptor, toUnicodeTable, verticalReach } from './font-dictionary.ts'
import { embeddedProgram, type FontProgram } from './font-program.ts'
import { fontStream } from './font-stream.ts'
import { cleanText, unknownGlyph } from './glyph-text.ts'
import type { ShownFont, StringMeasure } from './shown-font.ts'

interface Glyph {
  /** In ems, along the writing direction. */
  readonly width: number
  /** null until somebody asks. */
  text: string | null
  readonly identifier: number
}

/** Different codes of one font that are kept; more are read anew each time. */
const maxKeptGlyphs = 70_000
/** Advances that are listed; more would be a font that no text was ever set in. */
const maxAdvances = 200_000

/** A font whose codes are of one or more bytes and select glyphs of a CIDFont (ISO 32000-2, 9.7). */
export class CompositeShownFont implements ShownFont {
  readonly isVertical: boolean
  readonly em = 1
  readonly ascent: number
  readonly descent: number
  readonly #graph: FontGraph
  readonly #font: PdfDictionary
  readonly #descendant: PdfDictionary
  readonly #descriptor: PdfDictionary
  readonly #codes: CodeReader
  /** undefined until somebody asks for text. */
  #toUnicode: CodeTable<string> | null | undefined
  readonly #ordering: string
  /** Along the writing direction, by identifier; in ems. */
  readonly #advances: ReadonlyMap<number, number>
  readonly #defaultAdvance: number
  readonly #glyphs = new Map<number, Glyph>()
  #program: FontProgram | null | undefined
  #glyphIndexes: Uint8Array | null | undefined

  constructor(graph: FontGraph, font: PdfDictionary) {
    const descendants = graph.resolve(font.get('DescendantFonts'))
    const first = Array.isArray(descendants) ? graph.resolve(descendants[0]) : descendants
    this.#graph = graph
    this.#font = font
    this.#descendant = first instanceof PdfDictionary ? first : new PdfDictionary()
    this.#descriptor = fontDescriptor(graph, this.#descendant)
    this.#codes = codeReader(graph, font.get('Encoding'))
    this.isVertical = this.#codes.isVertical
    this.#ordering = orderingOf(graph, this.#descendant)
    this.#defaultAdvance = defaultAdvance(graph, this.#descendant, this.isVertical)
    this.#advances = this.isVertical
      ? listedAdvances(graph, this.#descendant.get('W2'), 3)
      : listedAdvances(graph, this.#descendant.get('W'), 1)
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
    let glyphs = 0
    let spaces = 0
    for (let at = start; at < end;) {
      const codes = this.#codes
      codes.read(bytes, at, end)
      at += codes.length
      glyphs++
      if (codes.length === 1 && codes.code === 32) spaces++
      const glyph = this.#glyph(codes.code, codes.length)
      width += glyph.width
      if (characters === null) continue
      glyph.text ??= this.#findText(codes.code, glyph.identifier)
      characters.putText(glyph.text)
    }
    measure.width = width
    measure.glyphs = glyphs
    measure.spaces = spaces
  }

  #glyph(code: number, length: number): Glyph {
    const key = code * 4 + length - 1
    const known = this.#glyphs.get(key)
    if (known !== undefined) return known
    const identifier = this.#codes.identifierOf(code)
    const width = this.#advances.get(identifier) ?? this.#defaultAdvance
    const glyph = { width, text: null, identifier }
    if (this.#glyphs.size < maxKeptGlyphs) this.#glyphs.set(key, glyph)
    return glyph
  }

  /** 9.10.2: by ToUnicode; else by the encoding or the character collection; else by what the program knows. */
  #findText(code: number, identifier: number): string {
    if (this.#toUnicode === undefined) {
      this.#toUnicode = toUnicodeTable(this.#graph, this.#font)
    }
    const mapped = cleanText((this.#toUnicode && textOfCode(this.#toUnicode, code)) ?? '')
    if (mapped !== '') return mapped
    const encoded = cleanText(
      this.#codes.textOf(code) ?? collectionText(this.#ordering, identifier) ?? '',
    )
    if (encoded !== '') return encoded
    if (this.#program === undefined) {
      this.#program = embeddedProgram(this.#graph, this.#descriptor)
    }
    const own = this.#program?.textOfGlyph(this.#glyphIndexOf(identifier))
    const known = cleanText(own ?? '')
    if (known !== '') return known
    return identifier === 0 ? '' : unknownGlyph(code)
  }

  /** 9.7.4.2, `/CIDToGIDMap`: two bytes for each identifier. */
  #glyphIndexOf(identifier: number): number {
    if (this.#glyphIndexes === undefined) {
      this.#glyphIndexes = fontStream(this.#graph, this.#descendant.get('CIDToGIDMap'))
    }
    const map = this.#glyphIndexes
    if (map === null) return identifier
    return ((map[identifier * 2] ?? 0) << 8) | (map[identifier * 2 + 1] ?? 0)
  }
}

/** 9.7.3: of the character collection, such as `Japan1`; empty for a font of no collection. */
function orderingOf(graph: FontGraph, descendant: PdfDictionary): string {
  const system = graph.resolve(descendant.get('CIDSystemInfo'))
  const ordering = system instanceof PdfDictionary ? graph.resolve(system.get('Ordering')) : null
  if (isName(ordering)) return ordering.value
  return ordering instanceof PdfString ? Buffer.from(ordering.bytes).toString('latin1') : ''
}

/** 9.7.4.3: `/DW`, or the second number of `/DW2`; in ems. */
function defaultAdvance(graph: FontGraph, descendant: PdfDictionary, isVertical: boolean): number {
  if (!isVertical) {
    const width = graph.resolve(descendant.get('DW'))
    return (typeof width === 'number' ? width : 1000) / 1000
  }
  const vertical = graph.resolve(descendant.get('DW2'))
  const advance = Array.isArray(vertical) ? graph.resolve(vertical[1]) : null
  return (typeof advance === 'number' ? advance : -1000) / 1000
}

/**
 * 9.7.4.3: `c [w1 w2 …]` or `first last w`; in ems.
 *
 * @param numbers how many stand for each glyph; the first of them is the advance
 */
function listedAdvances(
  graph: FontGraph,
  list: PdfObject | undefined,
  numbers: number,
): Map<number, number> {
  const advances = new Map<number, number>()
  const resolved = graph.resolve(list)
  const items = Array.isArray(resolved) ? resolved : []
  let left = maxAdvances
  graph.contentBudget.spend(items.length)
  for (let at = 0; at + 1 < items.length && left > 0;) {
    const first = graph.resolve(items[at])
    const second = graph.resolve(items[at + 1])
    if (typeof first !== 'number') break
    if (Array.isArray(second)) {
      graph.contentBudget.spend(second.length)
      for (let index = 0; index < second.length && left > 0; index += numbers, left--) {
        const advance = graph.resolve(second[index])
        if (typeof advance === 'number') advances.set(first + index / numbers, advance / 1000)
      }
      at += 2
    } else {
      const last = typeof second === 'number' ? second : first
      const advance = graph.resolve(items[at + 2])
      graph.contentBudget.spend(Math.min(left, Math.max(0, last - first)))
      for (let identifier = first; identifier <= last && left > 0; identifier++, left--) {
        if (typeof advance === 'number') advances.set(identifier, advance / 1000)
      }
      at += 2 + numbers
    }
  }
  return advances
}
