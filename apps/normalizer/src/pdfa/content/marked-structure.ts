import { PdfDictionary, type PdfObject, PdfString } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { parentTreeEntries } from '../../pdf/parent-tree.ts'

/** What the structure tree says of marked content (ISO 32000-2, 14.7.5.4); read when it is first asked. */
export class MarkedStructure {
  readonly #graph: ObjectGraph
  #entries: ReadonlyMap<number, PdfObject> | null = null

  constructor(graph: ObjectGraph) {
    this.#graph = graph
  }

  /**
   * Whether the structure element that the marked content belongs to has `/ActualText`.
   *
   * @param key `/StructParents` of the content stream
   * @param identifier `/MCID`
   */
  hasActualText(key: number | null, identifier: number): boolean {
    if (key === null) return false
    this.#entries ??= parentTreeEntries(this.#graph)
    const elements = this.#graph.resolve(this.#entries.get(key))
    const element = this.#graph.resolve(Array.isArray(elements) ? elements[identifier] : null)
    if (!(element instanceof PdfDictionary)) return false
    return this.#graph.resolve(element.get('ActualText')) instanceof PdfString
  }
}
