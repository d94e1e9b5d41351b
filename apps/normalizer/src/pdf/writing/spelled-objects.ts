import type { PdfDictionary, PdfObject, PdfReference, PdfStream } from '../object.ts'
import { digitsOf, GrowingBytes } from './growing-bytes.ts'
import { GrowingIntegers } from './growing-integers.ts'
import { spell } from './serialize.ts'

/** What is told about the objects around one that is spelled. */
export interface ObjectSurroundings {
  /** The index of what is referred to; null if that is not written. */
  identify(target: PdfReference | PdfStream): number | null
  /** Whether this dictionary, which stands inside another object, is left out. */
  omits(dictionary: PdfDictionary): boolean
  /** Told of each dictionary that is written. */
  meet(dictionary: PdfDictionary): void
}

/** From the first reference up to the one after the last. */
export type ReferenceRange = readonly [from: number, to: number]

/**
 * Objects in their canonical spelling, by index, with the numbers of the objects that they refer to still open. All
 * text lies in one piece and all references in two lists: a document may have hundreds of thousands of objects.
 */
export class SpelledObjects {
  /** For each object the encoded data of a stream; null for other objects. */
  readonly data: (Uint8Array | null)[] = []
  readonly #text = new GrowingBytes(16 * 1024)
  readonly #textEnds = new GrowingIntegers()
  readonly #referenceEnds = new GrowingIntegers()
  /** Where in the text the number belongs. */
  readonly #places = new GrowingIntegers()
  readonly #targets = new GrowingIntegers()

  get count(): number {
    return this.data.length
  }

  /**
   * Adds an object; of a stream its dictionary is the object.
   *
   * @param ranges if given, filled with the references under each key of the object
   */
  add(
    object: PdfObject,
    data: Uint8Array | null,
    surroundings: ObjectSurroundings,
    ranges?: Map<string, ReferenceRange>,
  ): void {
    let key: string | null = null
    let from = this.#targets.length
    const leave = (): void => {
      if (key !== null) ranges?.set(key, [from, this.#targets.length])
    }
    spell(object, this.#text, {
      ...surroundings,
      refer: (target) => {
        this.#places.push(this.#text.length)
        this.#targets.push(target)
      },
      enter: (next) => {
        leave()
        key = next
        from = this.#targets.length
      },
    })
    leave()
    this.#textEnds.push(this.#text.length)
    this.#referenceEnds.push(this.#targets.length)
    this.data.push(data)
  }

  /** All references of an object, in the order in which they stand there. */
  references(index: number): ReferenceRange {
    return [index === 0 ? 0 : this.#referenceEnds.at(index - 1), this.#referenceEnds.at(index)]
  }

  /** The index of the object that a reference leads to. */
  target(reference: number): number {
    return this.#targets.at(reference)
  }

  /** How many bytes the object takes with its references filled in. @param numbers by index */
  lengthOf(index: number, numbers: Int32Array): number {
    let length = this.#textEnds.at(index) - this.#textStart(index)
    const [from, to] = this.references(index)
    for (let reference = from; reference < to; reference += 1) {
      length += digitsOf(numbers[this.#targets.at(reference)] ?? 0)
    }
    return length
  }

  /** Writes the object with its references filled in. @param numbers by index */
  write(index: number, numbers: Int32Array, into: GrowingBytes): void {
    const text = this.#text.written
    const [from, to] = this.references(index)
    let at = this.#textStart(index)
    for (let reference = from; reference < to; reference += 1) {
      const place = this.#places.at(reference)
      into.copy(text, at, place)
      into.decimal(numbers[this.#targets.at(reference)] ?? 0)
      at = place
    }
    into.copy(text, at, this.#textEnds.at(index))
  }

  #textStart(index: number): number {
    return index === 0 ? 0 : this.#textEnds.at(index - 1)
  }
}
