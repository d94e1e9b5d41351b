import type { LazyObjectGraph } from './lazy-object-graph.ts'
import { isName, PdfDictionary, PdfName, PdfReference } from '../object.ts'
import { MalformedPdfError } from './read-limits.ts'

/** Whether the trailer roots a catalog that has a page tree. */
export function hasCatalog(graph: LazyObjectGraph): boolean {
  const root = graph.resolve(graph.trailer.get('Root'))
  return root instanceof PdfDictionary && graph.resolve(root.get('Pages')) instanceof PdfDictionary
}

/**
 * Looks for a catalog, else for the root of a page tree, else for pages that no tree holds, among all objects, and
 * roots what it finds.
 *
 * @throws {MalformedPdfError} when there is none of them
 */
export function rebuildRoot(graph: LazyObjectGraph): void {
  let catalog: number | null = null
  let pages: number | null = null
  const lostPages: PdfReference[] = []
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    if (!(object instanceof PdfDictionary)) continue
    if (isCatalog(graph, object)) catalog = number
    else if (isRootOfPages(graph, object)) pages = number
    else if (isName(graph.resolve(object.get('Type')), 'Page'))
      lostPages.push(new PdfReference(number, 0))
  }

  if (catalog !== null) {
    graph.trailer.set('Root', new PdfReference(catalog, graph.generation(catalog)))
    return
  }
  if (pages === null && lostPages.length === 0) {
    throw new MalformedPdfError('Neither a catalog nor a page tree was found')
  }
  const tree = pages === null ? graph.add(newPageTree(lostPages)) : new PdfReference(pages, 0)
  graph.trailer.set('Root', graph.add(newCatalog(tree)))
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

/** Whoever mends page trees fills in the rest. */
function newPageTree(kids: PdfReference[]): PdfDictionary {
  const pages = new PdfDictionary()
  pages.set('Type', new PdfName('Pages'))
  pages.set('Kids', kids)
  return pages
}

function newCatalog(pages: PdfReference): PdfDictionary {
  const catalog = new PdfDictionary()
  catalog.set('Type', new PdfName('Catalog'))
  catalog.set('Pages', pages)
  return catalog
}
