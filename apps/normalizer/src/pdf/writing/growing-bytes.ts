/** Bytes that are written one after another; the memory behind them grows as needed and is never held twice. */
export class GrowingBytes {
  #length = 0
  #bytes: Uint8Array<ArrayBuffer>

  /** @param capacity how many bytes there is room for at first */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity)
  }

  /** What was written so far; valid until more is. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** One character a byte. */
  latin1(text: string): void {
    this.#reserve(text.length)
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < text.length; index += 1) bytes[at++] = text.charCodeAt(index)
    this.#length = at
  }

  /** @param value an integer, not negative */
  decimal(value: number): void {
    const digits = digitsOf(value)
    this.#reserve(digits)
    const bytes = this.#bytes
    let rest = value
    for (let at = this.#length + digits - 1; at >= this.#length; at -= 1) {
      const tenth = Math.floor(rest / 10)
      bytes[at] = 0x30 + rest - 10 * tenth
      rest = tenth
    }
    this.#length += digits
  }

  copy(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from
    this.#reserve(count)
    const bytes = this.#bytes
    const start = this.#length
    if (count > longestLoop) bytes.set(source.subarray(from, to), start)
    else for (let at = 0; at < count; at += 1) bytes[start + at] = source[from + at] ?? 0
    this.#length += count
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const capacity = Math.max(needed, 2 * this.#bytes.length)
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(capacity))
  }
}

/** How many decimal digits an integer that is not negative takes. */
export function digitsOf(value: number): number {
  let digits = 1
  for (let limit = 10; value >= limit; limit *= 10) digits += 1
  return digits
}

/** Up to here a loop is quicker than the call that copies. */
const longestLoop = 64
