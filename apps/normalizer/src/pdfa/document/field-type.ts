import type { PdfDictionary } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { dictionaryAt, nameAt } from './entry.ts'

/** `/FT` of a field or of a widget's field: the nearest on the way up (ISO 32000-2, table 226). */
export function fieldType(graph: ObjectGraph, field: PdfDictionary): string | null {
  const seen = new Set<PdfDictionary>()
  let node: PdfDictionary | null = field
  while (node !== null && !seen.has(node)) {
    const type = nameAt(graph, node.get('FT'))
    if (type !== null) return type
    seen.add(node)
    node = dictionaryAt(graph, node.get('Parent'))
  }
  return null
}
