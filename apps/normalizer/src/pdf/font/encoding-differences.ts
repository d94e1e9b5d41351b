import type { FontGraph } from '../content/content-graph.ts'
import { isName, PdfDictionary, type PdfObject } from '../object.ts'

/**
 * The names in the `/Differences` of an encoding (ISO 32000-2, 9.6.5.1), by their codes: each number is followed by the
 * names from that code on. Null for an encoding without them.
 *
 * @throws {ContentBudgetError} when the document's budget is used up
 */
export function encodingDifferences(
  graph: FontGraph,
  encoding: PdfObject,
): Map<number, string> | null {
  const list = encoding instanceof PdfDictionary ? graph.resolve(encoding.get('Differences')) : null
  if (!Array.isArray(list)) return null
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
