import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { fontDescriptor } from '../../pdf/font/font-dictionary.ts'
import type { PdfDictionary, PdfObject } from '../../pdf/object.ts'
import { numberAt } from './font-entries.ts'

/** The widths of a simple font as its dictionary has them (ISO 32000-2, 9.6.2.1). */
export class SimpleWidths {
  readonly firstCode: number | null
  readonly lastCode: number | null
  readonly list: readonly PdfObject[] | null
  readonly #graph: FontGraph
  readonly #missing: number

  constructor(graph: FontGraph, font: PdfDictionary) {
    const list = graph.resolve(font.get('Widths'))
    this.#graph = graph
    this.firstCode = numberAt(graph, font.get('FirstChar'))
    this.lastCode = numberAt(graph, font.get('LastChar'))
    this.list = Array.isArray(list) ? list : null
    this.#missing = numberAt(graph, fontDescriptor(graph, font).get('MissingWidth')) ?? 0
  }

  /** `/MissingWidth` for codes that the list does not have. */
  of(code: number): number {
    const { firstCode, lastCode } = this
    if (firstCode === null || lastCode === null || code < firstCode || code > lastCode) {
      return this.#missing
    }
    return numberAt(this.#graph, this.list?.[code - firstCode]) ?? this.#missing
  }
}
