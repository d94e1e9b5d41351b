import { isName, PdfDictionary, type PdfObject } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'

/**
 * The pages in the order in which a viewer shows them (ISO 32000-2, 7.7.3). A page that the tree names twice comes
 * once; nodes that lead back to themselves are passed over.
 */
export function pagesInOrder(graph: ObjectGraph): PdfDictionary[] {
  const catalog = graph.resolve(graph.trailer.get('Root'))
  if (!(catalog instanceof PdfDictionary)) return []

  const pages: PdfDictionary[] = []
  const seen = new Set<PdfObject>()
  const pending: (PdfObject | undefined)[] = [catalog.get('Pages')]
  while (pending.length > 0) {
    const node = graph.resolve(pending.pop())
    if (!(node instanceof PdfDictionary) || seen.has(node)) continue
    seen.add(node)
    const kids = graph.resolve(node.get('Kids'))
    if (!Array.isArray(kids) || isName(graph.resolve(node.get('Type')), 'Page')) pages.push(node)
    else for (let index = kids.length - 1; index >= 0; index--) pending.push(kids[index])
  }
  return pages
}

/** A page attribute with its inheritance from the page tree (7.7.3.4); null if neither page nor ancestors have it. */
export function inheritedPageAttribute(
  graph: ObjectGraph,
  page: PdfDictionary,
  key: 'Resources' | 'MediaBox' | 'CropBox' | 'Rotate',
): PdfObject {
  const seen = new Set<PdfDictionary>()
  let node: PdfObject = page
  while (node instanceof PdfDictionary && !seen.has(node)) {
    const value = graph.resolve(node.get(key))
    if (value !== null) return value
    seen.add(node)
    node = graph.resolve(node.get('Parent'))
  }
  return null
}
