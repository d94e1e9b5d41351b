import {
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from '../src/pdf/object.ts'
import type { ObjectGraph } from '../src/pdf/object-graph.ts'

/** An object graph without a file, for tests that build documents out of objects. */
export class MemoryGraph implements ObjectGraph {
  readonly trailer = new PdfDictionary()
  readonly #objects = new Map<number, PdfObject>()

  numbers(): Iterable<number> {
    return [...this.#objects.keys()].toSorted((a, b) => a - b)
  }

  get(number: number): PdfObject {
    return this.#objects.get(number) ?? null
  }

  has(number: number): boolean {
    return this.#objects.has(number)
  }

  resolve(object: PdfObject | undefined): PdfObject {
    const seen = new Set<number>()
    let current = object ?? null
    while (current instanceof PdfReference) {
      if (seen.has(current.number)) return null
      seen.add(current.number)
      current = this.get(current.number)
    }
    return current
  }

  generation(): number {
    return 0
  }

  set(number: number, object: PdfObject): void {
    this.#objects.set(number, object)
  }

  add(object: PdfObject): PdfReference {
    const number = this.#objects.size + 1
    this.#objects.set(number, object)
    return new PdfReference(number, 0)
  }

  delete(number: number): void {
    this.#objects.delete(number)
  }
}

export function name(value: string): PdfName {
  return new PdfName(value)
}

export function text(value: string): PdfString {
  return new PdfString(Uint8Array.from(Buffer.from(value, 'latin1')))
}

export function reference(number: number): PdfReference {
  return new PdfReference(number, 0)
}

export function dictionary(entries: Record<string, PdfObject>): PdfDictionary {
  return new PdfDictionary(Object.entries(entries))
}

export function stream(
  entries: Record<string, PdfObject>,
  data: Uint8Array | string = '',
): PdfStream {
  return new PdfStream(dictionary(entries), Buffer.from(data as string, 'latin1'))
}
