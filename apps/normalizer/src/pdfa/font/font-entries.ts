import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { fontDescriptor } from '../../pdf/font/font-dictionary.ts'
import { type PdfDictionary, PdfName, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { FontFacts } from './font-rules.ts'

export function nameAt(graph: FontGraph, object: PdfObject | undefined): string | null {
  const value = graph.resolve(object)
  return value instanceof PdfName ? value.value : null
}

export function numberAt(graph: FontGraph, object: PdfObject | undefined): number | null {
  const value = graph.resolve(object)
  return typeof value === 'number' ? value : null
}

/** @param dictionary of a composite font its descendant: veraPDF and the suite look at that one only */
export function fontFacts(
  graph: FontGraph,
  dictionary: PdfDictionary,
  subtype: string | null,
): FontFacts {
  return {
    type: nameAt(graph, dictionary.get('Type')),
    subtype,
    name: nameAt(graph, dictionary.get('BaseFont')),
    programSubtype: programSubtype(graph, fontDescriptor(graph, dictionary)),
  }
}

function programSubtype(graph: FontGraph, descriptor: PdfDictionary): string | null {
  for (const key of ['FontFile', 'FontFile2', 'FontFile3']) {
    const stream = graph.resolve(descriptor.get(key))
    if (stream instanceof PdfStream) return nameAt(graph, stream.dictionary.get('Subtype'))
  }
  return null
}

/** ISO 32000-2, 9.9.2. */
export function isSubset(name: string | null): boolean {
  return name !== null && /^[A-Z]{6}\+/.test(name)
}

/** Table 121, bit 3. */
export function isSymbolic(graph: FontGraph, descriptor: PdfDictionary): boolean {
  return ((numberAt(graph, descriptor.get('Flags')) ?? 0) & 4) !== 0
}
