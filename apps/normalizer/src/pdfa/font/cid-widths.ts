import type { FontGraph } from '../../pdf/content/content-graph.ts'
import type { PdfDictionary, PdfObject } from '../../pdf/object.ts'
import { numberAt } from './font-entries.ts'

/** The widths of a CIDFont as its dictionary has them (ISO 32000-2, 9.7.4.3). */
export class CidWidths {
  readonly #standard: number
  readonly #single = new Map<number, number>()
  readonly #ranges: { readonly first: number; readonly last: number; readonly width: number }[] = []

  constructor(graph: FontGraph, font: PdfDictionary) {
    this.#standard = numberAt(graph, font.get('DW')) ?? 1000
    const list = graph.resolve(font.get('W'))
    if (Array.isArray(list)) this.#read(graph, list)
  }

  of(identifier: number): number {
    const single = this.#single.get(identifier)
    if (single !== undefined) return single
    const range = this.#ranges.find(({ first, last }) => identifier >= first && identifier <= last)
    return range?.width ?? this.#standard
  }

  /** `c [w1 w2 …]` or `first last w`. */
  #read(graph: FontGraph, list: readonly PdfObject[]): void {
    graph.contentBudget.spend(list.length)
    for (let at = 0; at + 1 < list.length;) {
      const first = numberAt(graph, list[at])
      const second = graph.resolve(list[at + 1])
      if (first === null) {
        at++
      } else if (Array.isArray(second)) {
        graph.contentBudget.spend(second.length)
        for (const [index, item] of second.entries()) {
          const width = numberAt(graph, item)
          if (width !== null) this.#single.set(first + index, width)
        }
        at += 2
      } else {
        const width = numberAt(graph, list[at + 2])
        if (typeof second === 'number' && width !== null && this.#ranges.length < maxRanges) {
          this.#ranges.push({ first, last: second, width })
        }
        at += 3
      }
    }
  }
}

/** Each is looked at for every code that is shown; fonts have some hundreds. */
const maxRanges = 20_000
