import { type PdfDictionary, PdfString } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { MarkedStructure } from './marked-structure.ts'

/** The marked-content sequences of one content stream that are open (ISO 32000-2, 14.6). */
export class OpenMarks {
  readonly #graph: ObjectGraph
  readonly #structure: MarkedStructure
  readonly #structureKey: number | null
  readonly #marks: Mark[] = []
  /** Those beyond the ones that are kept. */
  #unkept = 0

  /** @param structureKey `/StructParents` of the content stream; null for none */
  constructor(graph: ObjectGraph, structure: MarkedStructure, structureKey: number | null) {
    this.#graph = graph
    this.#structure = structure
    this.#structureKey = structureKey
  }

  /** Whether text that is shown within them has replacement text. */
  get hasActualText(): boolean {
    const { hasActualText, elementHasActualText } = this.#innermost
    return hasActualText || elementHasActualText
  }

  /** @param properties of the sequence; null where it has none */
  open(properties: PdfDictionary | null): void {
    if (this.#marks.length >= maxMarks) {
      this.#unkept++
      return
    }
    const around = this.#innermost
    this.#marks.push(properties === null ? around : this.#within(around, properties))
  }

  close(): void {
    if (this.#unkept > 0) this.#unkept--
    else this.#marks.pop()
  }

  get #innermost(): Mark {
    return this.#marks.at(-1) ?? unmarked
  }

  #within(around: Mark, properties: PdfDictionary): Mark {
    const identifier = this.#graph.resolve(properties.get('MCID'))
    const text = this.#graph.resolve(properties.get('ActualText'))
    return {
      hasActualText: around.hasActualText || text instanceof PdfString,
      elementHasActualText:
        typeof identifier === 'number'
          ? this.#structure.hasActualText(this.#structureKey, identifier)
          : around.elementHasActualText,
    }
  }
}

/** What holds for text within a marked-content sequence. */
interface Mark {
  /** Its property list, or one around it, has `/ActualText`. */
  readonly hasActualText: boolean
  /** The structure element of the innermost sequence that has one has it. */
  readonly elementHasActualText: boolean
}

const unmarked: Mark = { hasActualText: false, elementHasActualText: false }
/** Open sequences at once; no writer nests as deep. */
const maxMarks = 1024
