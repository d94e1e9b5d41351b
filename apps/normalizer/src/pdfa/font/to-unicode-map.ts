import type { FontGraph } from '../../pdf/content/content-graph.ts'
import { collectionText } from '../../pdf/font/character-collection.ts'
import { type CodeTable, textOfCode } from '../../pdf/font/character-code-map.ts'
import { toUnicodeTable } from '../../pdf/font/font-dictionary.ts'
import { type PdfDictionary, PdfName } from '../../pdf/object.ts'

/** The text that `/ToUnicode` has for a code (ISO 32000-2, 9.10.3): a map, or the name of one that readers have; null where it has none. */
export class ToUnicodeMap {
  readonly #graph: FontGraph
  readonly #font: PdfDictionary
  #table: CodeTable<string> | null | undefined

  constructor(graph: FontGraph, font: PdfDictionary) {
    this.#graph = graph
    this.#font = font
  }

  textOf(code: number): string | null {
    const entry = this.#graph.resolve(this.#font.get('ToUnicode'))
    if (entry === null) return null
    if (entry instanceof PdfName) return namedText(entry.value, code)
    if (this.#table === undefined) this.#table = toUnicodeTable(this.#graph, this.#font)
    return this.#table && textOfCode(this.#table, code)
  }
}

function namedText(name: string, code: number): string | null {
  if (/^Identity-[HV]$/.test(name)) return String.fromCharCode(code & 0xffff)
  const [, ordering] = /^Adobe-(GB1|CNS1|Japan1|Korea1)-UCS2$/.exec(name) ?? []
  return ordering === undefined ? null : collectionText(ordering, code)
}
