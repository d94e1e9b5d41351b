import { PdfDictionary, type PdfObject, type PdfReference } from '../src/pdf/object.ts'
import type { ObjectGraph } from '../src/pdf/object-graph.ts'
import { dictionary, MemoryGraph, name, reference, stream, text } from './memory-graph.ts'

/** A document of `count` pages that say their number; all share one font. `edit` puts more into it. */
export function pageDocument(
  count: number,
  edit: (document: PageDocument) => void = () => {},
): MemoryGraph {
  const graph = new MemoryGraph()
  const font = graph.add(
    dictionary({ Type: name('Font'), Subtype: name('Type1'), BaseFont: name('Helvetica') }),
  )
  const resources = graph.add(dictionary({ Font: dictionary({ F1: font }) }))
  const tree = graph.add(null)
  const pages = Array.from({ length: count }, (_, index) => {
    const contents = graph.add(stream({}, `BT /F1 24 Tf 72 720 Td (page ${index + 1}) Tj ET`))
    return dictionary({
      Type: name('Page'),
      Parent: tree,
      MediaBox: [0, 0, 612, 792],
      Resources: resources,
      Contents: contents,
    })
  })
  const references = pages.map((page) => graph.add(page))
  const node = dictionary({ Type: name('Pages'), Kids: references, Count: count })
  graph.set(tree.number, node)
  const catalog = dictionary({ Type: name('Catalog'), Pages: tree })
  graph.trailer.set('Root', graph.add(catalog))
  graph.trailer.set('Info', graph.add(dictionary({ Title: text('Pages') })))
  edit({ graph, catalog, tree: node, pages, references })
  return graph
}

export interface PageDocument {
  readonly graph: MemoryGraph
  readonly catalog: PdfDictionary
  readonly tree: PdfDictionary
  readonly pages: readonly PdfDictionary[]
  readonly references: readonly PdfReference[]
}

/** An outline with one item for each page. */
export function addOutlines({ graph, catalog, references }: PageDocument): PdfReference {
  const outlines = graph.add(null)
  const first = outlines.number + 1
  const last = outlines.number + references.length
  for (const [index, page] of references.entries()) {
    const number = first + index
    const item: Record<string, PdfObject> = {
      Title: text(`Chapter ${index + 1}`),
      Parent: outlines,
      Dest: [page, name('Fit')],
    }
    if (number > first) item['Prev'] = reference(number - 1)
    if (number < last) item['Next'] = reference(number + 1)
    graph.add(dictionary(item))
  }
  graph.set(
    outlines.number,
    dictionary({
      Type: name('Outlines'),
      First: reference(first),
      Last: reference(last),
      Count: references.length,
    }),
  )
  catalog.set('Outlines', outlines)
  return outlines
}

/** The pages of a document that is written, in order. */
export function pagesOf(graph: ObjectGraph): PdfDictionary[] {
  const pages: PdfDictionary[] = []
  const catalog = graph.resolve(graph.trailer.get('Root'))
  const pending = [catalog instanceof PdfDictionary ? catalog.get('Pages') : null]
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    const node = graph.resolve(object)
    if (!(node instanceof PdfDictionary)) throw new Error('no node of a page tree')
    const kids = graph.resolve(node.get('Kids'))
    if (Array.isArray(kids)) pending.push(...kids.toReversed())
    else pages.push(node)
  }
  return pages
}
