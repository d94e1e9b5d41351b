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
  const names = namesIn(encoding)
  if (names === null) return null
  const own = encoding === 'MacRomanEncoding' ? names.map(unlessLeftOut) : names
  encodings.set(encoding, own)
  return own
}

/** Codes of the standard Roman encoding of Mac OS by glyph name, with those that PDF leaves out (ISO 32000-2, 9.6.5.4). */
export function macintoshCode(name: string): number | null {
  if (macintoshCodes === null) {
    const names = namesIn('MacRomanEncoding') ?? []
    macintoshCodes = new Map()
    for (const [code, own] of names.entries()) {
      // Of the two codes of a space the first.
      if (own !== null && !macintoshCodes.has(own)) macintoshCodes.set(own, code)
    }
  }
  return macintoshCodes.get(name) ?? null
}

function namesIn(encoding: string): EncodingNames | null {
  const characters = namedEncoding(encoding)
  return characters && characters.map((character) => glyphNames().get(character) ?? null)
}

/** Mac OS has these codes, MacRomanEncoding has not (ISO 32000-2, table D.2 and 9.6.5.4). */
const leftOut = new Set([
  0xad, 0xb0, 0xb2, 0xb3, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xbd, 0xc3, 0xc5, 0xc6, 0xd7, 0xf0,
])

function unlessLeftOut(name: string | null, code: number): string | null {
  return leftOut.has(code) ? null : name
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
