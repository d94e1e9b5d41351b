import type { LazyObjectGraph } from './lazy-object-graph.ts'
import { isName, PdfDictionary, PdfName, PdfReference } from '../object.ts'
import { MalformedPdfError } from './read-limits.ts'

/** Whether the trailer roots a catalog that has a page tree. */
export function hasCatalog(graph: LazyObjectGraph): boolean {
  const root = graph.resolve(graph.trailer.get('Root'))
  return root instanceof PdfDictionary && graph.resolve(root.get('Pages')) instanceof PdfDictionary
}

/**
 * Looks for a catalog, else for the root of a page tree, among all objects, and roots it.
 *
 * @throws {MalformedPdfError} when there is neither
 */
export function rebuildRoot(graph: LazyObjectGraph): void {
  let catalog: number | null = null
  let pages: number | null = null
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    if (!(object instanceof PdfDictionary)) continue
    if (isCatalog(graph, object)) catalog = number
    else if (isRootOfPages(graph, object)) pages = number
  }

  if (catalog === null && pages === null) {
    throw new MalformedPdfError('Neither a catalog nor a page tree was found')
  }
  const root =
    catalog === null
      ? graph.add(newCatalog(new PdfReference(pages ?? 0, 0)))
      : new PdfReference(catalog, graph.generation(catalog))
  graph.trailer.set('Root', root)
}

function isCatalog(graph: LazyObjectGraph, dictionary: PdfDictionary): boolean {
  return (
    isName(graph.resolve(dictionary.get('Type')), 'Catalog') &&
    graph.resolve(dictionary.get('Pages')) instanceof PdfDictionary
  )
}

function isRootOfPages(graph: LazyObjectGraph, dictionary: PdfDictionary): boolean {
  return (
    isName(graph.resolve(dictionary.get('Type')), 'Pages') &&
    Array.isArray(graph.resolve(dictionary.get('Kids'))) &&
    !(graph.resolve(dictionary.get('Parent')) instanceof PdfDictionary)
  )
}

function newCatalog(pages: PdfReference): PdfDictionary {
  const catalog = new PdfDictionary()
  catalog.set('Type', new PdfName('Catalog'))
  catalog.set('Pages', pages)
  return catalog
}
