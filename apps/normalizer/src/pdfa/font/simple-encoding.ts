import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { encodingDifferences } from '../../pdf/font/encoding-differences.ts'
import { type EncodingNames, encodingNames } from '../../pdf/font/encoding-names.ts'
import { PdfDictionary } from '../../pdf/object.ts'
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
  const differences = encodingDifferences(graph, entry)
  return {
    isPresent: dictionary !== null || name !== null,
    isDictionary: dictionary !== null,
    name,
    base: name !== null && pdfEncodings.has(name) ? encodingNames(name) : null,
    hasDifferences: differences !== null,
    differences: differences ?? new Map(),
  }
}

/** Table 112 has no others. */
const pdfEncodings = new Set(['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding'])
