import { PdfDictionary } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { listPages } from '../../pdf/page-tree.ts'

/** Some of the document cannot be found; the message says what, as part of a sentence. */
export class LostPagesError extends Error {}

/**
 * Of a document without a page, or with one that is not there, nobody can say that it complies: what it shows is unknown.
 *
 * @throws {LostPagesError}
 */
export function assertAllPagesThere(graph: ObjectGraph): void {
  const pages = listPages(graph)
  if (pages.length === 0) throw new LostPagesError('the page tree leads to no page')
  const nodes = new Set(pages.flatMap(({ ancestors }) => ancestors))
  if ([...nodes].some((node) => lacksKids(graph, node))) {
    throw new LostPagesError('the page tree has an entry that is no page')
  }
}

function lacksKids(graph: ObjectGraph, node: PdfDictionary): boolean {
  const kids = graph.resolve(node.get('Kids'))
  return Array.isArray(kids) && kids.some((kid) => !(graph.resolve(kid) instanceof PdfDictionary))
}
