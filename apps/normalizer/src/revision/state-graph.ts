import { type PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { ExpansionBudget } from '../pdf/reading/read-limits.ts'

/** The objects of an earlier state of a file: those of the whole file where no update touched them. It is only read. */
export class StateGraph implements ObjectGraph {
  readonly trailer: PdfDictionary
  readonly expansionBudget?: ExpansionBudget
  readonly #own: ObjectGraph
  readonly #whole: ObjectGraph
  readonly #touched: ReadonlySet<number>
  readonly #bytes: Uint8Array

  constructor(earlier: PdfFile, whole: PdfFile, touched: ReadonlySet<number>) {
    const { graph } = earlier
    this.trailer = graph.trailer
    if (whole.graph.expansionBudget !== undefined)
      this.expansionBudget = whole.graph.expansionBudget
    this.#own = graph
    this.#whole = whole.graph
    this.#touched = touched
    this.#bytes = earlier.bytes
  }

  numbers(): Iterable<number> {
    return this.#own.numbers()
  }

  get(number: number): PdfObject {
    if (this.#touched.has(number)) return this.#own.get(number)
    const object = this.#whole.get(number)
    return object instanceof PdfStream && this.#isOtherwise(object) ? this.#own.get(number) : object
  }

  has(number: number): boolean {
    return this.#own.has(number)
  }

  resolve(object: PdfObject | undefined): PdfObject {
    const visited = new Set<number>()
    let current = object ?? null
    while (current instanceof PdfReference) {
      if (visited.has(current.number)) return null
      visited.add(current.number)
      current = this.get(current.number)
    }
    return current
  }

  generation(number: number): number {
    return this.#own.generation(number)
  }

  set(): never {
    throw new Error('An earlier state is only read')
  }

  add(): PdfReference {
    throw new Error('An earlier state is only read')
  }

  delete(): never {
    throw new Error('An earlier state is only read')
  }

  /** A stream can change without being touched: by a length in an object of its own, or where it runs past the end. */
  #isOtherwise({ dictionary, data }: PdfStream): boolean {
    const length = dictionary.get('Length')
    if (length instanceof PdfReference && this.#touched.has(length.number)) return true
    const { buffer, byteOffset, length: size } = this.#bytes
    return data.buffer === buffer && data.byteOffset + data.length > byteOffset + size
  }
}
