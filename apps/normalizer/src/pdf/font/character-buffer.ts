import { ContentBudgetError } from '../content/content-budget.ts'

/** More than stands on any page; one code may stand for hundreds. */
const maxUnits = 8 * 1024 * 1024

/**
 * A text that grows, in the form in which it is hashed: Unicode NFC, each run of white space one space, none at the ends.
 * What is put into it has no other white space (`glyph-text.ts`).
 */
export class CharacterBuffer {
  #units = new Uint16Array(1024)
  #length = 0
  #isComposed = true

  /**
   * One UTF-16 code unit.
   *
   * @throws {ContentBudgetError} when the text is longer than any page's
   */
  put(unit: number): void {
    if (unit === space) {
      if (this.#length === 0 || this.#units[this.#length - 1] === space) return
    } else if (unit >= firstCombining) this.#isComposed = false
    if (this.#length === this.#units.length) this.#grow()
    this.#units[this.#length++] = unit
  }

  putText(text: string): void {
    for (let at = 0; at < text.length; at++) this.put(text.charCodeAt(at))
  }

  /** Takes out all that it holds. */
  take(): string {
    const hasEnd = this.#length > 0 && this.#units[this.#length - 1] === space
    const length = hasEnd ? this.#length - 1 : this.#length
    const { buffer, byteOffset } = this.#units
    const text = Buffer.from(buffer, byteOffset, length * 2).toString('utf16le')
    const isComposed = this.#isComposed
    this.#length = 0
    this.#isComposed = true
    return isComposed ? text : text.normalize('NFC')
  }

  #grow(): void {
    if (this.#units.length >= maxUnits) {
      throw new ContentBudgetError('A page has more text than can be read')
    }
    const grown = new Uint16Array(this.#units.length * 2)
    grown.set(this.#units)
    this.#units = grown
  }
}

const space = 0x20
/** All characters before it are as they are in NFC, whatever stands beside them. */
const firstCombining = 0x300
