import type { CharacterBuffer } from './character-buffer.ts'

/** What showing a string comes to. */
export interface StringMeasure {
  /** Along the writing direction, for a text size of 1, without spacing; negative where text runs downwards. */
  width: number
  glyphs: number
  /** Codes of one byte with the value 32, to which word spacing applies (ISO 32000-2, 9.3.3). */
  spaces: number
}

/** A font as text is shown with it (ISO 32000-2, 9.5). */
export interface ShownFont {
  /** 9.7.4.3: text runs downwards. */
  readonly isVertical: boolean
  /** What an em is, as a multiple of the text size: 1, except in fonts with a glyph space of their own (9.6.4). */
  readonly em: number
  /** How far glyphs reach above and below the baseline, in ems. */
  readonly ascent: number
  readonly descent: number
  /**
   * Reads the codes of a string.
   *
   * @param characters receives what they stand for; null when nobody asks
   * @param measure is filled
   */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    characters: CharacterBuffer | null,
    measure: StringMeasure,
  ): void
}
