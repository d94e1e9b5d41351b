import { isName, PdfDictionary, PdfReference, type PdfObject } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'
import { ResourceLimitError } from './reading/read-limits.ts'

/** A page in its place in the document's order. */
export interface PdfPage {
  readonly dictionary: PdfDictionary
  /** null when the page is a direct object in its parent's `/Kids`. */
  readonly reference: PdfReference | null
  /** From its parent to the root of the page tree: where attributes are inherited from (ISO 32000-2, 7.7.3.4). */
  readonly ancestors: readonly PdfDictionary[]
}

/** Deeper than any writer makes its tree; the depth bounds what inheriting an attribute costs. */
export const maxPageTreeDepth = 256

/**
 * The pages in document order. A node that is met twice is passed over, so a cyclic tree ends.
 *
 * @throws {ResourceLimitError} when the tree is deeper than {@link maxPageTreeDepth}
 */
export function listPages(graph: ObjectGraph): PdfPage[] {
  const root = graph.resolve(graph.trailer.get('Root'))
  if (!(root instanceof PdfDictionary)) return []

  const pages: PdfPage[] = []
  const visited = new Set<PdfDictionary>()
  const pending: PendingNode[] = [{ object: root.get('Pages'), ancestors: [] }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = graph.resolve(next.object)
    if (!(node instanceof PdfDictionary) || visited.has(node)) continue
    visited.add(node)

    const kids = childrenOf(graph, node)
    if (kids === null) {
      if (isPage(graph, node)) pages.push(page(node, next))
      continue
    }
    const ancestors = [node, ...next.ancestors]
    if (ancestors.length > maxPageTreeDepth) {
      throw new ResourceLimitError(`The page tree is deeper than ${maxPageTreeDepth}`)
    }
    for (let i = kids.length - 1; i >= 0; i--) pending.push({ object: kids[i], ancestors })
  }
  return pages
}

/** The page's own attribute or the one that it inherits (7.7.3.4), resolved; null if there is none. */
export function inheritedAttribute(graph: ObjectGraph, page: PdfPage, key: string): PdfObject {
  for (const node of [page.dictionary, ...page.ancestors]) {
    const value = graph.resolve(node.get(key))
    if (value !== null) return value
  }
  return null
}

interface PendingNode {
  readonly object: PdfObject | undefined
  readonly ancestors: readonly PdfDictionary[]
}

/** The children of an intermediate node; null for a page. `/Kids` tells more than a `/Type` that may be wrong. */
function childrenOf(graph: ObjectGraph, node: PdfDictionary): PdfObject[] | null {
  const kids = graph.resolve(node.get('Kids'))
  if (!Array.isArray(kids)) return isName(graph.resolve(node.get('Type')), 'Pages') ? [] : null
  return isName(graph.resolve(node.get('Type')), 'Page') ? null : kids
}

/** Kids of other types are met in damaged files; without any type a page is known by what it holds. */
function isPage(graph: ObjectGraph, node: PdfDictionary): boolean {
  const type = graph.resolve(node.get('Type'))
  if (isName(type, 'Page')) return true
  return ['Contents', 'MediaBox', 'Resources', 'Parent'].some((key) => node.has(key))
}

function page(dictionary: PdfDictionary, { object, ancestors }: PendingNode): PdfPage {
  return { dictionary, reference: object instanceof PdfReference ? object : null, ancestors }
}
