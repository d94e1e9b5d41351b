/** A list of 32-bit integers that takes four bytes for each. */
export class GrowingIntegers {
  #length = 0
  #values = new Int32Array(64)

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      this.#values = new Int32Array(this.#values.buffer.transfer(8 * this.#length))
    }
    this.#values[this.#length++] = value
  }

  at(index: number): number {
    return this.#values[index] ?? 0
  }
}
