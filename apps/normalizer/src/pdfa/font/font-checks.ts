import type { PdfObject } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'

/** Text as a content stream shows it in one font. */
export interface ShownText {
  /** The font resource: mostly a reference. */
  readonly font: PdfObject
  /** The operand of the operator that shows. */
  readonly bytes: Uint8Array
  /** ISO 32000-2, table 104: 3 is invisible. */
  readonly renderingMode: number
  /** Whether marked content around it says what it means (`/ActualText`). */
  readonly hasActualText: boolean
}

/** The fonts that show glyphs: dictionaries, CMaps, font programs, and the glyphs themselves. */
export class FontChecks {
  readonly #validation: Validation

  constructor(validation: Validation) {
    this.#validation = validation
  }

  /** Called for every string that is shown, as often as it is. */
  show(text: ShownText, place: Place): void {
    void [this.#validation, text, place]
  }

  /** What can be said only when all text has been seen. */
  finish(): void {}
}
