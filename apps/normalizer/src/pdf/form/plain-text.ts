/** Longer values would be cut off by any rectangle. */
const maxTextLength = 20_000

/**
 * Text that can be set: letters have their marks in them where there are such letters (NFC), lines end in one way, other
 * white space is a space, and control characters (Cc of Unicode) are gone.
 */
export function plainText(text: string): string {
  return text
    .slice(0, maxTextLength)
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]/g, ' ')
    .replace(/(?!\n)\p{Cc}/gu, '')
}
