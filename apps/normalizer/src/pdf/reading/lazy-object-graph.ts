import { readIndirectObject, type ReadingContext } from './indirect-object.ts'
import {
  MAX_OBJECT_NUMBER,
  PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfObject,
} from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { objectInStream, type ObjectStream, readObjectStream } from './object-stream.ts'
import type { SectionInProgress } from './cross-reference.ts'
import type { CrossReferenceEntry } from '../pdf-file.ts'
import { ExpansionBudget, ObjectBudget, ParseBudget, type ReadLimits } from './read-limits.ts'

/** Where a live object stands, and which section said so (null: found by scanning). */
export interface LiveEntry {
  readonly entry: Exclude<CrossReferenceEntry, { kind: 'free' }>
  readonly section: SectionInProgress | null
}

/** The objects of a file, parsed when they are first asked for. */
export class LazyObjectGraph implements ObjectGraph {
  trailer: PdfDictionary = new PdfDictionary()
  readonly expansionBudget: ExpansionBudget
  readonly context: ReadingContext
  /** As read from the file; edits do not change it. */
  live: ReadonlyMap<number, LiveEntry> = new Map()

  readonly #limits: ReadLimits
  #objectBudget: ObjectBudget
  readonly #objects = new Map<number, PdfObject>()
  readonly #deleted = new Set<number>()
  /** As of the last change; those who go through them while they change the graph keep what they have. */
  #numbers: Float64Array | null = null
  readonly #objectStreams = new Map<number, ObjectStream | null>()
  #nextNumber = FIRST_ADDED_NUMBER
  #lengthDepth = 0

  constructor(bytes: Uint8Array, limits: ReadLimits) {
    this.#limits = limits
    this.#objectBudget = new ObjectBudget(limits)
    this.expansionBudget = new ExpansionBudget(bytes.length, limits)
    this.context = {
      bytes,
      maxNestingDepth: limits.maxNestingDepth,
      maxObjects: limits.maxObjects,
      budget: new ParseBudget(bytes.length, limits),
      expansionBudget: this.expansionBudget,
      lengthAt: (reference) => this.#lengthAt(reference.number),
    }
  }

  numbers(): Iterable<number> {
    this.#numbers ??= this.#liveNumbers()
    return this.#numbers
  }

  #liveNumbers(): Float64Array {
    const numbers = new Set(this.live.keys())
    for (const number of this.#objects.keys()) numbers.add(number)
    for (const number of this.#deleted) numbers.delete(number)
    return Float64Array.from(numbers).sort()
  }

  has(number: number): boolean {
    return !this.#deleted.has(number) && (this.#objects.has(number) || this.live.has(number))
  }

  get(number: number): PdfObject {
    const known = this.#objects.get(number)
    if (known !== undefined) return known
    const live = this.live.get(number)
    if (live === undefined || this.#deleted.has(number)) return null

    const { object, objectBytes } = this.#read(number, live)
    this.#objectBudget.charge(objectBytes)
    this.#objects.set(number, object)
    return object
  }

  resolve(object: PdfObject | undefined): PdfObject {
    if (!(object instanceof PdfReference)) return object ?? null
    const first = this.get(object.number)
    if (!(first instanceof PdfReference)) return first

    const visited = new Set<number>([object.number])
    let current: PdfObject = first
    while (current instanceof PdfReference) {
      if (visited.has(current.number)) return null
      visited.add(current.number)
      current = this.get(current.number)
    }
    return current
  }

  generation(number: number): number {
    const live = this.live.get(number)
    return live !== undefined && live.entry.kind === 'offset' ? live.entry.generation : 0
  }

  set(number: number, object: PdfObject): void {
    if (!this.has(number)) this.#numbers = null
    this.#deleted.delete(number)
    this.#objects.set(number, object)
    if (number >= this.#nextNumber) this.#nextNumber = number + 1
  }

  add(object: PdfObject): PdfReference {
    const number = this.#nextNumber++
    this.#numbers = null
    this.#objects.set(number, object)
    return new PdfReference(number, 0)
  }

  delete(number: number): void {
    this.#numbers = null
    this.#objects.delete(number)
    this.#deleted.add(number)
  }

  /** Takes what the file defines; forgets everything that was parsed before. */
  load(live: ReadonlyMap<number, LiveEntry>, trailer: PdfDictionary): void {
    this.live = live
    this.trailer = trailer
    this.#objects.clear()
    this.#objectBudget = new ObjectBudget(this.#limits)
    this.#objectStreams.clear()
    this.#deleted.clear()
    this.#nextNumber = FIRST_ADDED_NUMBER
  }

  /** The object stream with this number as the file has it; null if there is none. @throws {ResourceLimitError} */
  objectStream(number: number): ObjectStream | null {
    const known = this.#objectStreams.get(number)
    if (known !== undefined) return known

    // While it is being read it counts as missing: its own /Length or /Filter may lead back to it.
    this.#objectStreams.set(number, null)
    const live = this.live.get(number)
    if (live === undefined || live.entry.kind !== 'offset') return null
    const read = readIndirectObject(this.context, live.entry.offset)
    if (read === null || !(read.object instanceof PdfStream)) return null

    const objectStream = readObjectStream(this, read.object, this.#limits)
    this.#objectStreams.set(number, objectStream)
    return objectStream
  }

  #read(number: number, { entry }: LiveEntry): { object: PdfObject; objectBytes: number } {
    if (entry.kind === 'offset') {
      const read = readIndirectObject(this.context, entry.offset)
      return read === null || read.number !== number ? missing : read
    }

    // 7.5.7: a stream may extend others; an object is looked for along that chain.
    const visited = new Set<number>()
    let streamNumber: number | null = entry.objectStream
    while (streamNumber !== null && !visited.has(streamNumber)) {
      visited.add(streamNumber)
      const stream = this.objectStream(streamNumber)
      if (stream === null) return missing
      const index = stream.numbers[entry.index] === number ? entry.index : stream.indexOf(number)
      if (index !== undefined) return objectInStream(stream, index, this.#limits)
      streamNumber = stream.extends
    }
    return missing
  }

  #lengthAt(number: number): number | null {
    if (this.#lengthDepth >= MAX_LENGTH_DEPTH) return null
    this.#lengthDepth++
    try {
      // Nothing is remembered: what is null while its object stream is being read may be found later.
      const live = this.live.get(number)
      const length =
        this.#objects.get(number) ?? (live === undefined ? null : this.#read(number, live).object)
      return typeof length === 'number' ? length : null
    } finally {
      this.#lengthDepth--
    }
  }
}

const missing = { object: null, objectBytes: 0 } as const

/** Above all that a file can name: what is added must not be what a dangling reference was meant for. */
const FIRST_ADDED_NUMBER = MAX_OBJECT_NUMBER + 1

/** A length may lie in an object stream whose own length is indirect; more than that no writer does. */
const MAX_LENGTH_DEPTH = 4
