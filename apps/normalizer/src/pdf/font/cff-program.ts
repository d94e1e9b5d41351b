import { CffData, cffOperators } from './cff-data.ts'
import { cffStandardStrings } from './cff-standard-strings.ts'

/** What a Compact Font Format program (Adobe Technical Note 5176) says of its glyphs. */
export interface CffProgram {
  /** Glyphs are known by identifiers of a character collection and have no names. */
  readonly isCidKeyed: boolean
  /** Of a glyph, by index; null where there is none, and in all of a CID-keyed program. */
  nameOf(glyph: number): string | null
  /** The glyph of the built-in encoding; null where the encoding is a predefined one, or has none for the code. */
  glyphOf(code: number): number | null
  /** Name of the predefined encoding that the program has in place of its own; null if it has its own. */
  readonly encoding: 'StandardEncoding' | 'ExpertEncoding' | null
}

/** null for a program that cannot be read. */
export function readCff(program: Uint8Array): CffProgram | null {
  try {
    return cffProgram(new CffData(program))
  } catch (error) {
    // An offset leads past the end.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** @throws {RangeError} when an offset leads past the end */
export function cffProgram(data: CffData): CffProgram {
  const operand = (operator: number): number | undefined => data.top.get(operator)?.[0]
  const charStrings = operand(cffOperators.charStrings)
  const glyphs = charStrings === undefined ? 0 : data.index(charStrings).count
  const isCidKeyed = data.top.has(cffOperators.ros)
  const identifiers = isCidKeyed ? [] : data.charset(operand(cffOperators.charset) ?? 0, glyphs)
  const encoding = operand(cffOperators.encoding) ?? 0
  const codes = encoding > 1 && !isCidKeyed ? data.encoding(encoding, identifiers) : null

  return {
    isCidKeyed,
    encoding: codes || isCidKeyed ? null : encoding === 1 ? 'ExpertEncoding' : 'StandardEncoding',
    glyphOf: (code) => codes?.get(code) ?? null,
    nameOf: (glyph) => (glyph <= 0 ? null : cffString(data, identifiers[glyph])),
  }
}

/** The string of an identifier (section 10); null where there is none. */
function cffString(data: CffData, identifier: number | undefined): string | null {
  if (identifier === undefined) return null
  const standard = cffStandardStrings[identifier]
  if (standard !== undefined) return standard
  const index = identifier - cffStandardStrings.length
  if (index < 0 || index >= data.strings.count) return null
  try {
    return data.text(...data.strings.item(index))
  } catch {
    return null
  }
}
