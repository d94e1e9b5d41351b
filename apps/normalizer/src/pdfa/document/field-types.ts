import type { PdfDictionary } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { dictionaryAt, nameAt } from './entry.ts'

/** `/FT` of fields and of widgets: the nearest on the way up (ISO 32000-2, table 226). Each way is gone once. */
export class FieldTypes {
  readonly #graph: ObjectGraph
  readonly #known = new Map<PdfDictionary, string | null>()

  constructor(graph: ObjectGraph) {
    this.#graph = graph
  }

  of(field: PdfDictionary): string | null {
    const way: PdfDictionary[] = []
    let node: PdfDictionary | null = field
    let type: string | null = null
    while (node !== null && type === null) {
      const known = this.#known.get(node)
      if (known !== undefined) {
        type = known
        break
      }
      // Where the way comes back to, there is none.
      this.#known.set(node, null)
      way.push(node)
      type = nameAt(this.#graph, node.get('FT'))
      node = dictionaryAt(this.#graph, node.get('Parent'))
    }
    for (const passed of way) this.#known.set(passed, type)
    return type
  }
}
