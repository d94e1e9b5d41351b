import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { PdfDictionary, type PdfObject, PdfString } from '../../pdf/object.ts'
import type { CharacterCollection } from './character-map-rules.ts'
import { numberAt } from './font-entries.ts'

/** `/CIDSystemInfo` of a CIDFont or of a CMap (ISO 32000-2, 9.7.3). */
export function collectionOf(graph: FontGraph, holder: PdfDictionary): CharacterCollection {
  const system = graph.resolve(holder.get('CIDSystemInfo'))
  const entries = system instanceof PdfDictionary ? system : new PdfDictionary()
  return {
    registry: stringAt(graph, entries.get('Registry')),
    ordering: stringAt(graph, entries.get('Ordering')),
    supplement: numberAt(graph, entries.get('Supplement')),
  }
}

function stringAt(graph: FontGraph, object: PdfObject | undefined): string | null {
  const value = graph.resolve(object)
  return value instanceof PdfString ? Buffer.from(value.bytes).toString('latin1') : null
}
