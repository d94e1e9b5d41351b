import type { ParseBudget } from './read-limits.ts'

const keyword = 'endstream'

/**
 * Finds the `endstream` that comes next. What was gone over is remembered, so that a file without that keyword is gone
 * over once and not again from each of its streams.
 */
export class EndOfStreamFinder {
  readonly #buffer: Buffer
  readonly #budget: ParseBudget
  /** No keyword begins from here up to `#next`, where one does; infinite if none follows. */
  #from = 0
  #next = -1

  constructor(bytes: Uint8Array, budget: ParseBudget) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#budget = budget
  }

  /** -1 if none follows. @throws {ResourceLimitError} */
  after(offset: number): number {
    if (offset < this.#from || offset > this.#next) this.#search(offset)
    return this.#next === Infinity ? -1 : this.#next
  }

  #search(offset: number): void {
    const isBefore = offset < this.#from
    const end = isBefore ? this.#from + keyword.length - 1 : this.#buffer.length
    const found = this.#buffer.subarray(offset, end).indexOf(keyword, 0, 'latin1')
    this.#budget.charge(found < 0 ? end - offset : found)
    if (found >= 0) this.#next = offset + found
    else if (!isBefore) this.#next = Infinity
    this.#from = offset
  }
}
