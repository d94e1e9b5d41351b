import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { CodeTable } from '../../pdf/font/character-code-map.ts'
import type { PdfDictionary, PdfObject } from '../../pdf/object.ts'
import { numberAt } from './font-entries.ts'

/** The widths of a CIDFont as its dictionary has them (ISO 32000-2, 9.7.4.3). */
export class CidWidths {
  readonly #standard: number
  readonly #widths = new CodeTable<number>()

  constructor(graph: FontGraph, font: PdfDictionary) {
    this.#standard = numberAt(graph, font.get('DW')) ?? 1000
    const list = graph.resolve(font.get('W'))
    if (Array.isArray(list)) this.#read(graph, list)
  }

  of(identifier: number): number {
    return this.#widths.find(identifier)?.first ?? this.#standard
  }

  /** `c [w1 w2 …]` or `first last w`. */
  #read(graph: FontGraph, list: readonly PdfObject[]): void {
    graph.contentBudget.spend(list.length)
    for (let at = 0; at + 1 < list.length;) {
      const first = numberAt(graph, list[at])
      const second = graph.resolve(list[at + 1])
      if (first === null) at++
      else if (Array.isArray(second)) {
        graph.contentBudget.spend(second.length)
        for (const [index, item] of second.entries()) {
          const width = numberAt(graph, item)
          if (width !== null) this.#widths.addRange(first + index, first + index, width)
        }
        at += 2
      } else {
        const width = numberAt(graph, list[at + 2])
        if (typeof second === 'number' && width !== null) {
          this.#widths.addRange(first, second, width)
        }
        at += 3
      }
    }
  }
}
