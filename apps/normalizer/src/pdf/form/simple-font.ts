import { decodeStream } from '../filter/decode-stream.ts'
import { glyphLookup } from '../font/true-type-program.ts'
import { codesByCharacter } from '../font/to-unicode.ts'
import { glyphName } from '../font/glyph-name.ts'
import { isName, PdfDictionary, type PdfObject, PdfStream, PdfString } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import type { FontEncoding } from './composite-font.ts'

/**
 * A font with one byte for each character (ISO 32000-2, 9.6) whose codes can be told from characters: by its encoding or
 * by its `/ToUnicode`. null for a font of symbols with codes of its own. Characters whose glyph a subset lacks have none.
 *
 * @param winAnsiCode the code in WinAnsiEncoding, null where it has none
 */
export function simpleEncoding(
  graph: ObjectGraph,
  font: PdfDictionary,
  winAnsiCode: (char: string) => number | null,
): FontEncoding | null {
  const subtype = graph.resolve(font.get('Subtype'))
  if (!isName(subtype) || !['Type1', 'MMType1', 'TrueType'].includes(subtype.value)) return null
  const byUnicode = codesByCharacter(graph, font.get('ToUnicode'))
  const byEncoding = isSymbolic(graph, font) ? null : codesByEncoding(graph, font, winAnsiCode)
  if (byUnicode.size === 0 && !byEncoding) return null

  const widths = widthsOf(graph, font)
  const isThere = glyphTest(graph, font)
  const codeOf = (char: string): number | null => {
    const code = byEncoding?.(char) ?? byUnicode.get(char) ?? null
    if (code === null || code > 0xff || !isThere(char)) return null
    const isBlank = /\s/.test(char) || widths === null
    return isBlank || widths(code) > 0 ? code : null
  }
  return {
    codeOf: (char) => codeOf(char)?.toString(16).padStart(2, '0') ?? null,
    widthOf: (char) => widths?.(codeOf(char) ?? 0x3f) ?? null,
  }
}

/** Whether the embedded program has a glyph for a character, by its character map or the list of its glyphs. */
function glyphTest(graph: ObjectGraph, font: PdfDictionary): (char: string) => boolean {
  const descriptor = graph.resolve(font.get('FontDescriptor'))
  if (!(descriptor instanceof PdfDictionary)) return () => true
  const program = graph.resolve(descriptor.get('FontFile2'))
  const bytes = program instanceof PdfStream ? decodeStream(graph, program) : null
  const glyphOf = bytes && glyphLookup(bytes)
  if (glyphOf) return (char) => glyphOf(char.codePointAt(0) ?? 0) !== null

  // Table 120: the names of a Type 1 subset's glyphs, each with its slash.
  const list = graph.resolve(descriptor.get('CharSet'))
  const isType1 = graph.resolve(descriptor.get('FontFile')) !== null
  if (!(list instanceof PdfString) || !isType1) return () => true
  const names = new Set(
    Buffer.from(list.bytes)
      .toString('latin1')
      .split(/[\s/]+/),
  )
  return (char) => names.has(char === ' ' ? 'space' : glyphName(char))
}

function isSymbolic(graph: ObjectGraph, font: PdfDictionary): boolean {
  if (graph.resolve(font.get('Encoding')) !== null) return false
  const descriptor = graph.resolve(font.get('FontDescriptor'))
  if (!(descriptor instanceof PdfDictionary)) return false
  const flags = graph.resolve(descriptor.get('Flags'))
  // Table 121, bit 3: symbolic.
  return typeof flags === 'number' && (flags & 4) !== 0
}

/** 9.6.5: the base encoding and its differences, for the characters that WinAnsi and glyph names can tell. */
function codesByEncoding(
  graph: ObjectGraph,
  font: PdfDictionary,
  winAnsiCode: (char: string) => number | null,
): (char: string) => number | null {
  const encoding = graph.resolve(font.get('Encoding'))
  const differences =
    encoding instanceof PdfDictionary ? graph.resolve(encoding.get('Differences')) : null
  const codes = codesByGlyph(graph, Array.isArray(differences) ? differences : [])
  const replaced = new Set(codes.values())
  const base =
    encoding instanceof PdfDictionary ? graph.resolve(encoding.get('BaseEncoding')) : encoding
  const isWinAnsi = isName(base, 'WinAnsiEncoding')

  return (char) => {
    const byName = codes.get(glyphName(char))
    if (byName !== undefined) return byName
    const code = char.codePointAt(0) ?? 0
    const isAscii = code >= 0x20 && code < 0x7f
    // Standard encoding has curved quotes at these two codes.
    if (!isWinAnsi && (!isAscii || char === "'" || char === '`')) return null
    const plain = isAscii ? code : winAnsiCode(char)
    return plain === null || replaced.has(plain) ? null : plain
  }
}

function codesByGlyph(graph: ObjectGraph, differences: readonly PdfObject[]): Map<string, number> {
  const codes = new Map<string, number>()
  let code = 0
  for (const entry of differences) {
    const item = graph.resolve(entry)
    if (typeof item === 'number') code = item
    else if (isName(item)) {
      if (code >= 0 && code < 256 && !codes.has(item.value)) codes.set(item.value, code)
      code++
    }
  }
  return codes
}

/** 9.6.2: in thousandths of the text size; null if the font leaves them to the standard metrics. */
function widthsOf(graph: ObjectGraph, font: PdfDictionary): ((code: number) => number) | null {
  const widths = graph.resolve(font.get('Widths'))
  const first = graph.resolve(font.get('FirstChar'))
  if (!Array.isArray(widths) || typeof first !== 'number') return null
  const descriptor = graph.resolve(font.get('FontDescriptor'))
  const missing =
    descriptor instanceof PdfDictionary ? graph.resolve(descriptor.get('MissingWidth')) : 0
  return (code) => {
    const width = graph.resolve(widths[code - first])
    if (typeof width === 'number') return width
    return typeof missing === 'number' ? missing : 0
  }
}
