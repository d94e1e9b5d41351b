import type { PdfDictionary } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'

/** The number under the key; null for anything else. */
export function numberIn(graph: ObjectGraph, holder: PdfDictionary, key: string): number | null {
  const value = graph.resolve(holder.get(key))
  return typeof value === 'number' ? value : null
}
