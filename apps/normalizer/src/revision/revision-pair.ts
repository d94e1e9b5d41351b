import { type PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { CrossReferenceSection, PdfFile } from '../pdf/pdf-file.ts'
import type { ExpansionBudget } from '../pdf/reading/read-limits.ts'

/**
 * A document before and after updates. What the updates did not touch is the same object on both sides, so that it is
 * read once and that most of a comparison is one of identity.
 */
export interface RevisionPair {
  readonly before: ObjectGraph
  readonly after: ObjectGraph
  /** The numbers that the updates wrote or freed; null when that cannot be told, and all may differ. */
  readonly touched: ReadonlySet<number> | null
}

export function revisionPair(before: PdfFile, after: PdfFile): RevisionPair {
  const touched = touchedNumbers(before, after)
  return {
    before: before.graph,
    after: touched === null ? after.graph : new UpdatedGraph(before.graph, after.graph, touched),
    touched,
  }
}

function touchedNumbers(before: PdfFile, after: PdfFile): Set<number> | null {
  if (before.repairs.crossReferenceRebuilt || after.repairs.crossReferenceRebuilt) return null
  const known = new Set(before.sections.map(({ offset }) => offset))
  const added = after.sections.filter(({ offset }) => !known.has(offset))
  if (after.sections.length - added.length !== before.sections.length) return null

  const touched = new Set<number>()
  for (const { entries } of added) for (const number of entries.keys()) touched.add(number)
  for (const section of before.sections) addMembersOfTouchedStreams(section, touched)
  return touched
}

/** Objects move with the object stream in which they stand. */
function addMembersOfTouchedStreams(
  { entries }: CrossReferenceSection,
  touched: Set<number>,
): void {
  for (const [number, entry] of entries) {
    if (entry.kind === 'compressed' && touched.has(entry.objectStream)) touched.add(number)
  }
}

/** The later graph, with the earlier one's objects where no update touched them. It is only read. */
class UpdatedGraph implements ObjectGraph {
  readonly trailer: PdfDictionary
  readonly expansionBudget?: ExpansionBudget
  readonly #before: ObjectGraph
  readonly #after: ObjectGraph
  readonly #touched: ReadonlySet<number>

  constructor(before: ObjectGraph, after: ObjectGraph, touched: ReadonlySet<number>) {
    this.trailer = after.trailer
    if (after.expansionBudget !== undefined) this.expansionBudget = after.expansionBudget
    this.#before = before
    this.#after = after
    this.#touched = touched
  }

  numbers(): Iterable<number> {
    return this.#after.numbers()
  }

  get(number: number): PdfObject {
    if (this.#touched.has(number)) return this.#after.get(number)
    const object = this.#before.get(number)
    return this.#hasOtherLength(object) ? this.#after.get(number) : object
  }

  /** A length that stands in an object of its own can be changed without touching the stream. */
  #hasOtherLength(object: PdfObject): boolean {
    const length = object instanceof PdfStream ? object.dictionary.get('Length') : null
    return length instanceof PdfReference && this.#touched.has(length.number)
  }

  has(number: number): boolean {
    return this.#after.has(number)
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
    return this.#after.generation(number)
  }

  set(): never {
    throw new Error('A compared graph is only read')
  }

  add(): PdfReference {
    throw new Error('A compared graph is only read')
  }

  delete(): never {
    throw new Error('A compared graph is only read')
  }
}
