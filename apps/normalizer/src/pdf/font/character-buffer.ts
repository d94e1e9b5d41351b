/** UTF-16 code units of a text that grows; runs of spaces are one from the start. */
export class CharacterBuffer {
  #units = new Uint16Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  put(unit: number): void {
    if (unit === space && this.#length > 0 && this.#units[this.#length - 1] === space) return
    if (this.#length === this.#units.length) this.#grow()
    this.#units[this.#length++] = unit
  }

  putText(text: string): void {
    for (let at = 0; at < text.length; at++) this.put(text.charCodeAt(at))
  }

  /** Takes out all that it holds. */
  take(): string {
    const { buffer, byteOffset } = this.#units
    const text = Buffer.from(buffer, byteOffset, this.#length * 2).toString('utf16le')
    this.#length = 0
    return text
  }

  #grow(): void {
    const grown = new Uint16Array(this.#units.length * 2)
    grown.set(this.#units)
    this.#units = grown
  }
}

const space = 0x20
