import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { type EncodingNames, encodingNames } from '../../pdf/font/encoding-names.ts'
import { isName, PdfDictionary, type PdfObject } from '../../pdf/object.ts'
import { nameAt } from './font-entries.ts'

/** The `/Encoding` of a simple font (ISO 32000-2, 9.6.5). */
export interface SimpleEncoding {
  readonly isPresent: boolean
  readonly isDictionary: boolean
  /** Its name, or that of its base; null where it has neither. */
  readonly name: string | null
  /** Of the encoding with that name; null where nobody knows one. */
  readonly base: EncodingNames | null
  readonly hasDifferences: boolean
  readonly differences: ReadonlyMap<number, string>
}

export function simpleEncoding(graph: FontGraph, font: PdfDictionary): SimpleEncoding {
  const entry = graph.resolve(font.get('Encoding'))
  const dictionary = entry instanceof PdfDictionary ? entry : null
  const name = nameAt(graph, dictionary === null ? entry : dictionary.get('BaseEncoding'))
  const list = graph.resolve(dictionary?.get('Differences'))
  return {
    isPresent: dictionary !== null || name !== null,
    isDictionary: dictionary !== null,
    name,
    base: name !== null && pdfEncodings.has(name) ? encodingNames(name) : null,
    hasDifferences: Array.isArray(list),
    differences: Array.isArray(list) ? differencesOf(graph, list) : new Map(),
  }
}

/** Table 112 has no others. */
const pdfEncodings = new Set(['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding'])

/** Each number is followed by the names from that code on. */
function differencesOf(graph: FontGraph, list: readonly PdfObject[]): Map<number, string> {
  const names = new Map<number, string>()
  graph.contentBudget.spend(list.length)
  let code = 0
  for (const entry of list) {
    const item = graph.resolve(entry)
    if (typeof item === 'number') code = item
    else if (isName(item)) {
      if (code >= 0 && code < 256) names.set(code, item.value)
      code++
    }
  }
  return names
}
