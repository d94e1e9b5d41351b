import { RuleSet } from '../rule.ts'

/** A font dictionary (ISO 32000-2, 9.5), a CIDFont included. */
export interface FontFacts {
  readonly type: string | null
  readonly subtype: string | null
  readonly name: string | null
  /** `/Subtype` of the stream with the font program. */
  readonly programSubtype: string | null
}

export const fontRules = new RuleSet<FontFacts>('font', [
  {
    clauses: { '1': '6.3.2 t1', '2-3': '6.2.11.2 t1', '4': '6.2.10.2 t1' },
    description: 'Font dictionaries have the type Font',
    holds: ({ type }) => type === 'Font',
    found: ({ type }) => type ?? 'none',
  },
  {
    clauses: { '1': '6.3.2 t2', '2-3': '6.2.11.2 t2', '4': '6.2.10.2 t2' },
    description: 'Fonts are of a type that ISO 32000 has',
    holds: ({ subtype }) => subtype !== null && fontTypes.has(subtype),
    found: ({ subtype }) => subtype ?? 'none',
  },
  {
    clauses: { '1': '6.3.2 t3', '2-3': '6.2.11.2 t3', '4': '6.2.10.2 t3' },
    description: 'Fonts say what they are based on (/BaseFont), except for those of type 3',
    holds: ({ subtype, name }) => subtype === 'Type3' || name !== null,
  },
  {
    clauses: { '1': '6.3.2 t7' },
    description: 'Embedded font programs are of the form Type1C or CIDFontType0C, if they say any',
    holds: ({ programSubtype }) =>
      programSubtype === null || /^(Type1C|CIDFontType0C)$/.test(programSubtype),
    found: ({ programSubtype }) => programSubtype ?? '',
  },
  {
    clauses: { '2-3': '6.2.11.2 t7', '4': '6.2.10.2 t7' },
    description:
      'Embedded font programs are of the form Type1C, CIDFontType0C or OpenType, if they say any',
    holds: ({ programSubtype }) =>
      programSubtype === null || /^(Type1C|CIDFontType0C|OpenType)$/.test(programSubtype),
    found: ({ programSubtype }) => programSubtype ?? '',
  },
])

const fontTypes = new Set([
  'Type0',
  'Type1',
  'MMType1',
  'Type3',
  'TrueType',
  'CIDFontType0',
  'CIDFontType2',
])

/** A font that glyphs are rendered with: in a mode other than 3. */
export interface RenderedFontFacts {
  readonly name: string | null
  readonly subtype: string | null
  /** Of a kind that fits the font, and such that it can be read. */
  readonly hasProgram: boolean
  readonly hasGlyphMap: boolean
}

export const renderedFontRules = new RuleSet<RenderedFontFacts>('font', [
  {
    clauses: { '1': '6.3.4 t1', '2-3': '6.2.11.4.1 t1', '4': '6.2.10.4.1 t1' },
    description: 'The programs of fonts that render glyphs are embedded',
    holds: ({ subtype, hasProgram }) => subtype === 'Type3' || hasProgram,
    found: ({ name }) => name ?? 'a font without a name',
  },
  {
    clauses: { '1': '6.3.3.2 t1' },
    description: 'CIDFonts of type 2 that render glyphs say which glyphs they mean (/CIDToGIDMap)',
    holds: ({ subtype, hasGlyphMap }) => subtype !== 'CIDFontType2' || hasGlyphMap,
  },
])

/** ISO 32000-2, 9.6. */
export interface SimpleFontFacts {
  /** One of the fourteen that readers have, without a program of its own. */
  readonly isStandard: boolean
  readonly firstCode: number | null
  readonly lastCode: number | null
  /** How many `/Widths` has. */
  readonly widths: number | null
}

export const simpleFontRules = new RuleSet<SimpleFontFacts>('font', [
  {
    clauses: { '1': '6.3.2 t4', '2-3': '6.2.11.2 t4', '4': '6.2.10.2 t4' },
    description: 'Fonts say their first code (/FirstChar), except for the standard fourteen',
    holds: ({ isStandard, firstCode }) => isStandard || firstCode !== null,
  },
  {
    clauses: { '1': '6.3.2 t5', '2-3': '6.2.11.2 t5', '4': '6.2.10.2 t5' },
    description: 'Fonts say their last code (/LastChar), except for the standard fourteen',
    holds: ({ isStandard, lastCode }) => isStandard || lastCode !== null,
  },
  {
    clauses: { '1': '6.3.2 t6', '2-3': '6.2.11.2 t6', '4': '6.2.10.2 t6' },
    description:
      'Fonts have a width for every code from the first to the last, except for the standard fourteen',
    holds: ({ isStandard, firstCode, lastCode, widths }) =>
      isStandard ||
      (widths !== null &&
        firstCode !== null &&
        lastCode !== null &&
        widths === lastCode - firstCode + 1),
    found: ({ widths }) => (widths === null ? 'none' : `${widths} widths`),
  },
])

export interface TrueTypeFontFacts {
  readonly isSymbolic: boolean
  /** `/Encoding`, or `/BaseEncoding` in it. */
  readonly encoding: string | null
  readonly hasDifferences: boolean
  /** All names are in the Adobe Glyph List, and the program has a map from Unicode. */
  readonly areDifferencesUnicode: boolean
}

const isRoman = ({ encoding }: TrueTypeFontFacts): boolean =>
  encoding === 'MacRomanEncoding' || encoding === 'WinAnsiEncoding'

export const trueTypeFontRules = new RuleSet<TrueTypeFontFacts>('TrueType font', [
  {
    clauses: { '1': '6.3.7 t1' },
    description:
      'TrueType fonts that are not symbolic are encoded as MacRomanEncoding or WinAnsiEncoding, without differences',
    holds: (font) => font.isSymbolic || (isRoman(font) && !font.hasDifferences),
  },
  {
    clauses: { '2-3': '6.2.11.6 t2', '4': '6.2.10.6 t2' },
    description:
      'TrueType fonts that are not symbolic are encoded as MacRomanEncoding or WinAnsiEncoding; ' +
      'differences are names of the Adobe Glyph List, and the program has a map from Unicode (3, 1)',
    holds: (font) =>
      font.isSymbolic || (isRoman(font) && (!font.hasDifferences || font.areDifferencesUnicode)),
  },
  {
    clauses: { '1': '6.3.7 t2', '2-3': '6.2.11.6 t3', '4': '6.2.10.6 t3' },
    description: 'Symbolic TrueType fonts have no encoding',
    holds: ({ isSymbolic, encoding }) => !isSymbolic || encoding === null,
  },
])

/** The `cmap` table of the program of a TrueType font. */
export interface TrueTypeMapsFacts {
  readonly isSymbolic: boolean
  readonly maps: number
  readonly hasSymbolMap: boolean
  readonly hasUnicodeMap: boolean
  readonly hasMacintoshMap: boolean
}

export const trueTypeMapsRules = new RuleSet<TrueTypeMapsFacts>('TrueType program', [
  {
    clauses: { '1': '6.3.7 t3' },
    description: 'Programs of symbolic TrueType fonts have exactly one character map',
    holds: ({ isSymbolic, maps }) => !isSymbolic || maps === 1,
    found: ({ maps }) => `${maps} maps`,
  },
  {
    clauses: { '2-3': '6.2.11.6 t4' },
    description:
      'Programs of symbolic TrueType fonts have exactly one character map, or one for symbols (3, 0)',
    holds: ({ isSymbolic, maps, hasSymbolMap }) => !isSymbolic || maps === 1 || hasSymbolMap,
    found: ({ maps }) => `${maps} maps`,
  },
  {
    clauses: { '4': '6.2.10.6 t4' },
    description:
      'Programs of symbolic TrueType fonts have a character map for symbols (3, 0) or of Mac OS (1, 0)',
    holds: ({ isSymbolic, hasSymbolMap, hasMacintoshMap }) =>
      !isSymbolic || hasSymbolMap || hasMacintoshMap,
  },
  {
    clauses: { '2-3': '6.2.11.6 t1' },
    description:
      'Programs of TrueType fonts that are not symbolic have a character map other than that for symbols (3, 0)',
    holds: ({ isSymbolic, maps, hasSymbolMap }) =>
      isSymbolic || (hasSymbolMap ? maps > 1 : maps > 0),
  },
  {
    clauses: { '4': '6.2.10.6 t1' },
    description:
      'Programs of TrueType fonts that are not symbolic have a map from Unicode (3, 1) or of Mac OS (1, 0)',
    holds: ({ isSymbolic, hasUnicodeMap, hasMacintoshMap }) =>
      isSymbolic || hasUnicodeMap || hasMacintoshMap,
  },
])

/** A font of which the file has a part only, as its name says (ISO 32000-2, 9.9.2). */
export interface SubsetFacts {
  readonly hasProgram: boolean
  /** `/CharSet` or `/CIDSet`. */
  readonly hasList: boolean
  /** The list has what the program has, and nothing else. */
  readonly isListExact: boolean
}

export const type1SubsetRules = new RuleSet<SubsetFacts>('Type 1 font', [
  {
    clauses: { '2-3': '6.2.11.4.2 t1' },
    description: 'The list of glyph names (/CharSet) of a subset names all glyphs of its program',
    holds: ({ hasProgram, hasList, isListExact }) => !hasProgram || !hasList || isListExact,
  },
])

export const cidSubsetRules = new RuleSet<SubsetFacts>('CIDFont', [
  {
    clauses: { '2-3': '6.2.11.4.2 t2' },
    description: 'The set of identifiers (/CIDSet) of a subset has all that are in its program',
    holds: ({ hasProgram, hasList, isListExact }) => !hasProgram || !hasList || isListExact,
  },
])

/** Part 1 asks for what was shown, so all text has to have been seen. */
export interface UsedSubsetFacts {
  readonly hasProgram: boolean
  readonly hasList: boolean
  /** All that the file shows, as far as the program has it. */
  readonly areAllListed: boolean
}

export const usedType1SubsetRules = new RuleSet<UsedSubsetFacts>('Type 1 font', [
  {
    clauses: { '1': '6.3.5 t2' },
    description: 'Subsets of Type 1 fonts list the names of their glyphs (/CharSet)',
    holds: ({ hasProgram, hasList, areAllListed }) => hasProgram && hasList && areAllListed,
  },
])

export const usedCidSubsetRules = new RuleSet<UsedSubsetFacts>('CIDFont', [
  {
    clauses: { '1': '6.3.5 t3' },
    description: 'Subsets of CIDFonts have the set of their identifiers (/CIDSet)',
    holds: ({ hasProgram, hasList, areAllListed }) => hasProgram && hasList && areAllListed,
  },
])

/** ISO 32000-2, 9.7.4. */
export interface CidFontFacts {
  readonly subtype: string | null
  readonly hasProgram: boolean
  readonly hasGlyphMap: boolean
}

export const cidFontRules = new RuleSet<CidFontFacts>('CIDFont', [
  {
    clauses: { '2-3': '6.2.11.3.2 t1', '4': '6.2.10.3.2 t1' },
    description:
      'Embedded CIDFonts of type 2 say which glyphs they mean: /CIDToGIDMap is a stream or Identity',
    holds: ({ subtype, hasProgram, hasGlyphMap }) =>
      subtype !== 'CIDFontType2' || !hasProgram || hasGlyphMap,
  },
])
