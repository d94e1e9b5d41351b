import { EndOfStreamFinder } from './end-of-stream.ts'
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
import { LiveEntries, type LiveEntry } from './live-entries.ts'
import { ExpansionBudget, ObjectBudget, ParseBudget, type ReadLimits } from './read-limits.ts'

/** The objects of a file, parsed when they are first asked for. */
export class LazyObjectGraph implements ObjectGraph {
  trailer: PdfDictionary = new PdfDictionary()
  readonly expansionBudget: ExpansionBudget
  readonly context: ReadingContext
  /** As read from the file; edits do not change it. */
  live = new LiveEntries([])

  readonly #limits: ReadLimits
  #objectBudget: ObjectBudget
  /** By number, for numbers below `live.denseEnd`; others stand in `#others`. */
  #dense: (PdfObject | undefined)[] = []
  readonly #others = new Map<number, PdfObject>()
  /** For objects that were parsed, where they end in the file; 0 for others. */
  #ends = new Float64Array()
  /** Of objects that were parsed and have any. */
  readonly #oddities = new Map<number, number>()
  readonly #deleted = new Set<number>()
  /** As of the last change; those who go through them while they change the graph keep what they have. */
  #numbers: Float64Array | null = null
  readonly #objectStreams = new Map<number, ObjectStream | null>()
  /** For each object stream how many of its objects were parsed. */
  readonly #takenFrom = new Map<number, number>()
  #nextNumber = FIRST_ADDED_NUMBER
  #lengthDepth = 0

  constructor(bytes: Uint8Array, limits: ReadLimits) {
    this.#limits = limits
    this.#objectBudget = new ObjectBudget(limits)
    this.expansionBudget = new ExpansionBudget(bytes.length, limits)
    const budget = new ParseBudget(bytes.length, limits)
    this.context = {
      bytes,
      maxNestingDepth: limits.maxNestingDepth,
      maxObjects: limits.maxObjects,
      budget,
      endsOfStreams: new EndOfStreamFinder(bytes, budget),
      expansionBudget: this.expansionBudget,
      lengthAt: (reference) => this.#lengthAt(reference.number),
    }
  }

  numbers(): Iterable<number> {
    this.#numbers ??= this.#liveNumbers()
    return this.#numbers
  }

  #liveNumbers(): Float64Array {
    const numbers: number[] = []
    for (let number = 0; number < this.live.denseEnd; number += 1) {
      if (this.has(number)) numbers.push(number)
    }
    const sparse = new Set([...this.live.sparseNumbers(), ...this.#others.keys()])
    for (const number of [...sparse].sort((a, b) => a - b)) {
      if (this.has(number)) numbers.push(number)
    }
    return Float64Array.from(numbers)
  }

  has(number: number): boolean {
    return (
      !this.#deleted.has(number) && (this.#known(number) !== undefined || this.live.has(number))
    )
  }

  get(number: number): PdfObject {
    const known = this.#known(number)
    if (known !== undefined) return known
    const live = this.live.get(number)
    if (live === undefined || this.#deleted.has(number)) return null

    const { object, objectBytes, oddities, end } = this.#read(number, live)
    if (oddities !== 0) this.#oddities.set(number, oddities)
    this.#objectBudget.charge(objectBytes)
    this.#remember(number, object)
    if (number < this.#ends.length) this.#ends[number] = end
    if (live.entry.kind === 'compressed') this.#countTaken(live.entry.objectStream)
    return object
  }

  /** Where the object that was read under this number ends in the file; null if it was not read yet. */
  endOf(number: number): number | null {
    return this.#ends[number] || null
  }

  /** Of the object that was read under this number and of what it holds directly, as bits of `Oddity`. */
  odditiesOf(number: number): number {
    return this.#oddities.get(number) ?? 0
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
    return this.live.generation(number)
  }

  set(number: number, object: PdfObject): void {
    if (!this.has(number)) this.#numbers = null
    this.#deleted.delete(number)
    this.#remember(number, object)
    if (number >= this.#nextNumber) this.#nextNumber = number + 1
  }

  add(object: PdfObject): PdfReference {
    const number = this.#nextNumber++
    this.#numbers = null
    this.#remember(number, object)
    return new PdfReference(number, 0)
  }

  delete(number: number): void {
    this.#numbers = null
    this.#forget(number)
    this.#deleted.add(number)
  }

  /** Takes what the file defines; forgets everything that was parsed before. */
  load(live: LiveEntries, trailer: PdfDictionary): void {
    this.live = live
    this.trailer = trailer
    this.#numbers = null
    this.#dense = Array.from({ length: live.denseEnd })
    this.#others.clear()
    this.#oddities.clear()
    this.#ends = new Float64Array(live.denseEnd)
    this.#objectBudget = new ObjectBudget(this.#limits)
    this.#objectStreams.clear()
    this.#takenFrom.clear()
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

  /** An object stream of which every object was parsed is of no more use. */
  #countTaken(objectStream: number): void {
    const taken = (this.#takenFrom.get(objectStream) ?? 0) + 1
    this.#takenFrom.set(objectStream, taken)
    const stream = this.#objectStreams.get(objectStream)
    if (stream && taken >= stream.numbers.length) this.#objectStreams.delete(objectStream)
  }

  #known(number: number): PdfObject | undefined {
    return number < this.#dense.length ? this.#dense[number] : this.#others.get(number)
  }

  #remember(number: number, object: PdfObject): void {
    if (number < this.#dense.length) this.#dense[number] = object
    else this.#others.set(number, object)
  }

  #forget(number: number): void {
    if (number < this.#dense.length) this.#dense[number] = undefined
    else this.#others.delete(number)
  }

  #read(number: number, { entry }: LiveEntry): ReadObject {
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
      if (index !== undefined) return { ...objectInStream(stream, index, this.#limits), end: 0 }
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
        this.#known(number) ?? (live === undefined ? null : this.#read(number, live).object)
      return typeof length === 'number' ? length : null
    } finally {
      this.#lengthDepth--
    }
  }
}

interface ReadObject {
  readonly object: PdfObject
  readonly objectBytes: number
  readonly oddities: number
  /** Where it ends in the file; 0 for one in an object stream. */
  readonly end: number
}

const missing: ReadObject = { object: null, objectBytes: 0, oddities: 0, end: 0 }

/** Above all that a file can name: what is added must not be what a dangling reference was meant for. */
const FIRST_ADDED_NUMBER = MAX_OBJECT_NUMBER + 1

/** A length may lie in an object stream whose own length is indirect; more than that no writer does. */
const MAX_LENGTH_DEPTH = 4
