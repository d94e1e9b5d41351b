import type { FontGraph } from '../content/content-graph.ts'
import { isName, PdfDictionary } from '../object.ts'
import { rectangleOf } from '../rectangle.ts'
import { type CodeTable, readCharacterCodeMap } from './character-code-map.ts'
import { fontStream } from './font-stream.ts'

/** `/BaseFont` without the prefix of a subset (ISO 32000-2, 9.9.2); empty where there is none. */
export function baseFontName(graph: FontGraph, font: PdfDictionary): string {
  const name = graph.resolve(font.get('BaseFont'))
  return isName(name) ? name.value.replace(/^[A-Z]{6}\+/, '') : ''
}

/** Empty where there is none. */
export function fontDescriptor(graph: FontGraph, font: PdfDictionary): PdfDictionary {
  const descriptor = graph.resolve(font.get('FontDescriptor'))
  return descriptor instanceof PdfDictionary ? descriptor : new PdfDictionary()
}

/** `/ToUnicode` (9.10.3); null where there is none. */
export function toUnicodeTable(graph: FontGraph, font: PdfDictionary): CodeTable<string> | null {
  const bytes = fontStream(graph, font.get('ToUnicode'))
  if (bytes === null) return null
  const { texts } = readCharacterCodeMap(bytes)
  return texts.size === 0 ? null : texts
}

/** In ems, as most Latin fonts reach. */
const usualAscent = 0.75
const usualDescent = -0.25

/** How far glyphs reach above and below the baseline, in ems: by the descriptor (table 121), as far as that makes sense. */
export function verticalReach(
  graph: FontGraph,
  descriptor: PdfDictionary,
): { readonly ascent: number; readonly descent: number } {
  const box = rectangleOf(graph, descriptor.get('FontBBox'))
  const sensible = (key: string, other: number | undefined, usual: number): number => {
    const own = graph.resolve(descriptor.get(key))
    for (const value of [typeof own === 'number' ? own : 0, other ?? 0]) {
      const ems = value / 1000
      if (Math.sign(ems) === Math.sign(usual) && Math.abs(ems) < 2) return ems
    }
    return usual
  }
  return {
    ascent: sensible('Ascent', box?.top, usualAscent),
    descent: sensible('Descent', box?.bottom, usualDescent),
  }
}
