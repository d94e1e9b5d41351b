import { namedEncoding } from './base-encoding.ts'
import { cffStandardStrings } from './cff-standard-strings.ts'
import { textOfGlyphName } from './glyph-list.ts'
import { macintoshGlyphOrder } from './macintosh-glyph-order.ts'

/** The names of a simple font's glyphs, by code; null where the encoding has none. */
export type EncodingNames = readonly (string | null)[]

/** Of the named encodings of ISO 32000-2, annex D, and of the two expert encodings of Compact Font Format programs. */
export function encodingNames(encoding: string): EncodingNames | null {
  const known = encodings.get(encoding)
  if (known !== undefined) return known
  const characters = namedEncoding(encoding)
  if (characters === null) return null
  const names = characters.map((character) => glyphNames().get(character) ?? null)
  encodings.set(encoding, names)
  return names
}

/** Codes of the standard Roman encoding of Mac OS by glyph name, with those that PDF leaves out (ISO 32000-2, 9.6.5.4). */
export function macintoshCode(name: string): number | null {
  if (macintoshCodes === null) {
    const names = encodingNames('MacRomanEncoding') ?? []
    macintoshCodes = new Map(names.flatMap((own, code) => (own === null ? [] : [[own, code]])))
  }
  return macintoshCodes.get(name) ?? null
}

const encodings = new Map<string, EncodingNames>()
let macintoshCodes: Map<string, number> | null = null
let namesByText: Map<string, string> | null = null

/** The names that fonts have for their characters: the Adobe Glyph List has several for some. */
function glyphNames(): ReadonlyMap<string, string> {
  if (namesByText !== null) return namesByText
  namesByText = new Map()
  for (const name of [...cffStandardStrings, ...macintoshGlyphOrder]) {
    const text = textOfGlyphName(name)
    if (text !== null && !namesByText.has(text)) namesByText.set(text, name)
  }
  // Mac OS has Greek letters where the list has signs.
  namesByText.set('\u03a9', 'Omega')
  namesByText.set('\u20ac', 'Euro')
  return namesByText
}
