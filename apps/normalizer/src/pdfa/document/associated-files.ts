import { type PdfDictionary, type PdfObject, PdfReference } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { ItemsOnce } from './entry.ts'

/** File specifications that something is associated with by its `/AF` (ISO 19005-3, 6.8; ISO 32000-2, 14.13). */
export class AssociatedFiles {
  readonly #graph: ObjectGraph
  readonly #lists: ItemsOnce
  readonly #specifications = new Set<PdfObject>()

  constructor(graph: ObjectGraph) {
    this.#graph = graph
    this.#lists = new ItemsOnce(graph)
  }

  /** Those of the catalog, a page, an annotation, an XObject or a structure element: an array of references. */
  add(holder: PdfDictionary): void {
    if (!holder.has('AF')) return
    for (const item of this.#lists.at(holder.get('AF'))) {
      if (item instanceof PdfReference) this.#specifications.add(this.#graph.resolve(item))
    }
  }

  has(specification: PdfDictionary): boolean {
    return this.#specifications.has(specification)
  }
}
