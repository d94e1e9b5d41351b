/**
 * Text for a glyph that no encoding, map or program gives a Unicode value: a character of the private planes, by its code. Such
 * glyphs stay different from each other and from nothing at all, so that what cannot be read is neither empty
 * nor equal to other text of the same length.
 */
export function unknownGlyph(code: number): string {
  return String.fromCodePoint(privatePlane + (code % lettersOfPlane))
}

const privatePlane = 0xf0000
/** The last two of each plane are no characters. */
const lettersOfPlane = 0xfffe

/** Text without what is no character of a text: control characters, halves of pairs. White space is a space. */
export function cleanText(text: string): string {
  if (text.length === 1 && text >= '!' && text <= '~') return text
  return (
    text
      .replace(/[\s\u0085]/gu, ' ')
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu, '')
  )
}
