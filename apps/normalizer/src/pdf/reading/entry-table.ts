import type { CrossReferenceEntries, CrossReferenceEntry } from '../pdf-file.ts'

/** Types of entries, with the numbers of cross-reference streams (ISO 32000-2, 7.5.8.3, table 18). */
export const EntryType = { free: 0, offset: 1, compressed: 2 } as const
export type EntryType = (typeof EntryType)[keyof typeof EntryType]

/**
 * The entries of one section in their order. They lie in typed arrays: a file may have hundreds of thousands. What
 * goes through all of them asks by slot, which is an entry's place in that order.
 */
export class EntryTable implements CrossReferenceEntries {
  #size = 0
  #numbers = new Int32Array(8)
  #types = new Uint8Array(8)
  /** The offset, or the number of the object stream. */
  #seconds = new Float64Array(8)
  /** The generation, or the index in the object stream. */
  #thirds = new Float64Array(8)
  /** Where the entries stand in a table; in a stream they have no place. */
  #places: Float64Array<ArrayBuffer> | null = null
  #isAscending = true
  /** Slots by number, for numbers that do not ascend. */
  #slots: Map<number, number> | null = null

  get size(): number {
    return this.#size
  }

  /** Adds an entry at the end. @returns its slot */
  append(
    number: number,
    type: EntryType,
    second: number,
    third: number,
    entryOffset: number | null = null,
  ): number {
    const slot = this.#size
    if (slot === this.#numbers.length) this.#grow(2 * slot)
    if (slot > 0 && number <= this.numberAt(slot - 1)) this.#isAscending = false
    this.#numbers[slot] = number
    this.#types[slot] = type
    this.#seconds[slot] = second
    this.#thirds[slot] = third
    if (entryOffset !== null) {
      this.#places ??= new Float64Array(this.#numbers.length)
      this.#places[slot] = entryOffset
    }
    this.#size += 1
    this.#slots?.set(number, slot)
    return slot
  }

  /** Releases what was set aside for more entries. */
  finish(): this {
    this.#grow(Math.max(1, this.#size))
    return this
  }

  has(number: number): boolean {
    return this.slotOf(number) >= 0
  }

  get(number: number): CrossReferenceEntry | undefined {
    const slot = this.slotOf(number)
    return slot < 0 ? undefined : this.entryAt(slot)
  }

  keys(): Iterable<number> {
    return this.#numbers.subarray(0, this.#size)
  }

  *values(): Iterable<CrossReferenceEntry> {
    for (let slot = 0; slot < this.#size; slot += 1) yield this.entryAt(slot)
  }

  *[Symbol.iterator](): Iterator<[number, CrossReferenceEntry]> {
    for (let slot = 0; slot < this.#size; slot += 1) yield [this.numberAt(slot), this.entryAt(slot)]
  }

  /** -1 if there is no entry for this number. */
  slotOf(number: number): number {
    const size = this.#size
    if (size === 0) return -1
    if (!this.#isAscending) return (this.#slots ??= this.#slotsByNumber()).get(number) ?? -1
    const first = this.numberAt(0)
    const last = this.numberAt(size - 1)
    if (number < first || number > last) return -1
    if (last - first === size - 1) return number - first
    let low = 0
    let high = size - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.numberAt(middle) < number) low = middle + 1
      else high = middle
    }
    return this.numberAt(low) === number ? low : -1
  }

  numberAt(slot: number): number {
    return this.#numbers[slot] ?? 0
  }

  typeAt(slot: number): EntryType {
    return this.#types[slot] as EntryType
  }

  /** The offset of an object that stands in the file. */
  offsetAt(slot: number): number {
    return this.#seconds[slot] ?? 0
  }

  /** 0 for an object in an object stream. */
  generationAt(slot: number): number {
    return this.#types[slot] === EntryType.compressed ? 0 : (this.#thirds[slot] ?? 0)
  }

  setOffset(slot: number, offset: number): void {
    this.#seconds[slot] = offset
  }

  entryAt(slot: number): CrossReferenceEntry {
    const second = this.#seconds[slot] ?? 0
    const third = this.#thirds[slot] ?? 0
    const entryOffset = this.#places?.[slot] ?? null
    switch (this.#types[slot]) {
      case EntryType.offset:
        return { kind: 'offset', offset: second, generation: third, entryOffset }
      case EntryType.compressed:
        return { kind: 'compressed', objectStream: second, index: third, entryOffset: null }
      default:
        return { kind: 'free', generation: third, entryOffset }
    }
  }

  #slotsByNumber(): Map<number, number> {
    const slots = new Map<number, number>()
    for (let slot = 0; slot < this.#size; slot += 1) slots.set(this.numberAt(slot), slot)
    return slots
  }

  #grow(capacity: number): void {
    this.#numbers = new Int32Array(this.#numbers.buffer.transfer(4 * capacity))
    this.#types = new Uint8Array(this.#types.buffer.transfer(capacity))
    this.#seconds = new Float64Array(this.#seconds.buffer.transfer(8 * capacity))
    this.#thirds = new Float64Array(this.#thirds.buffer.transfer(8 * capacity))
    this.#places &&= new Float64Array(this.#places.buffer.transfer(8 * capacity))
  }
}
