import { decodeStream } from '../filter/decode-stream.ts'
import { glyphLookup } from '../font/true-type-program.ts'
import { codesByCharacter } from '../font/to-unicode.ts'
import { predefinedCodes } from './predefined-encoding.ts'
import { isName, PdfDictionary, type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/** How text is set in a font of the document. */
export interface FontEncoding {
  /** The codes of the character as hexadecimal digits; null if the font has none for it. */
  codeOf(char: string): string | null
  /** In thousandths of the text size; null where the font leaves it to the standard metrics. */
  widthOf(char: string): number | null
}

/**
 * A composite font (ISO 32000-2, 9.7) whose codes can be told from characters: by its `/ToUnicode`, by the character map
 * of its program, or by its predefined encoding. null for any other, and for text in columns: it falls back to another
 * font.
 */
export function compositeEncoding(graph: ObjectGraph, font: PdfDictionary): FontEncoding | null {
  const encoding = graph.resolve(font.get('Encoding'))
  const descendants = graph.resolve(font.get('DescendantFonts'))
  const descendant = graph.resolve(Array.isArray(descendants) ? descendants[0] : null)
  if (!isName(encoding) || !(descendant instanceof PdfDictionary)) return null
  // Text in columns would need vertical metrics.
  if (encoding.value.endsWith('-V')) return null
  const predefined = predefinedCodes(encoding.value)
  if (predefined) return inPredefined(graph, descendant, predefined)

  const codes = codesByCharacter(graph, font.get('ToUnicode'))
  const isIdentity = encoding.value === 'Identity-H'
  const byProgram = isIdentity ? identifiersByProgram(graph, descendant) : null
  if (codes.size === 0 && !byProgram) return null
  const identifierOf = (char: string): number | null =>
    codes.get(char) ?? byProgram?.(char.codePointAt(0) ?? 0) ?? null
  const widths = widthsOf(graph, descendant)
  return {
    codeOf: (char) => hexOf(identifierOf(char)),
    // Only under Identity codes are the identifiers by which widths are given.
    widthOf: (char) =>
      isIdentity ? widths(identifierOf(char) ?? 0) : defaultWidth(graph, descendant),
  }
}

/** 9.7.5.2: which identifiers, and so exact widths, its characters have is known to readers only. */
function inPredefined(
  graph: ObjectGraph,
  descendant: PdfDictionary,
  codeOf: (char: string) => string | null,
): FontEncoding {
  const full = defaultWidth(graph, descendant)
  return {
    codeOf,
    // Latin letters and half-width kana are half as wide in the collections that have such encodings.
    widthOf: (char) => (/[\x20-\x7e\uff61-\uff9f]/.test(char) ? full / 2 : full),
  }
}

function hexOf(code: number | null): string | null {
  return code === null || code > 0xffff ? null : code.toString(16).padStart(4, '0')
}

/** 9.7.4.2: glyph indexes of the embedded program, turned into identifiers by `/CIDToGIDMap`. */
function identifiersByProgram(
  graph: ObjectGraph,
  descendant: PdfDictionary,
): ((codePoint: number) => number | null) | null {
  if (!isName(graph.resolve(descendant.get('Subtype')), 'CIDFontType2')) return null
  const descriptor = graph.resolve(descendant.get('FontDescriptor'))
  if (!(descriptor instanceof PdfDictionary)) return null
  const program = graph.resolve(descriptor.get('FontFile2') ?? descriptor.get('FontFile3'))
  const bytes = program instanceof PdfStream ? decodeStream(graph, program) : null
  const glyphOf = bytes && glyphLookup(bytes)
  if (!glyphOf) return null

  const map = graph.resolve(descendant.get('CIDToGIDMap'))
  if (!(map instanceof PdfStream)) return glyphOf
  const identifiers = identifiersByGlyph(decodeStream(graph, map) ?? new Uint8Array())
  return (codePoint) => {
    const glyph = glyphOf(codePoint)
    return glyph === null ? null : (identifiers.get(glyph) ?? null)
  }
}

function identifiersByGlyph(map: Uint8Array): Map<number, number> {
  const identifiers = new Map<number, number>()
  for (let at = 0; at + 1 < Math.min(map.length, 0x20000); at += 2) {
    const glyph = ((map[at] ?? 0) << 8) | (map[at + 1] ?? 0)
    if (glyph !== 0 && !identifiers.has(glyph)) identifiers.set(glyph, at / 2)
  }
  return identifiers
}

function defaultWidth(graph: ObjectGraph, descendant: PdfDictionary): number {
  const width = graph.resolve(descendant.get('DW'))
  return typeof width === 'number' ? width : 1000
}

/** 9.7.4.3: `c [w1 w2 …]` or `first last w`. */
function widthsOf(graph: ObjectGraph, descendant: PdfDictionary): (identifier: number) => number {
  const widths = new Map<number, number>()
  const ranges: { first: number; last: number; width: number }[] = []
  const list = graph.resolve(descendant.get('W'))
  const items = Array.isArray(list) ? list : []
  const numberAt = (item: PdfObject | undefined): number | null => {
    const value = graph.resolve(item)
    return typeof value === 'number' ? value : null
  }
  for (let at = 0; at + 1 < items.length;) {
    const first = numberAt(items[at])
    if (first === null) break
    const second = graph.resolve(items[at + 1])
    if (Array.isArray(second)) {
      for (const [index, item] of second.entries()) widths.set(first + index, numberAt(item) ?? 0)
      at += 2
    } else {
      const last = typeof second === 'number' ? second : first
      ranges.push({ first, last, width: numberAt(items[at + 2]) ?? 0 })
      at += 3
    }
  }
  const other = defaultWidth(graph, descendant)
  return (identifier) =>
    widths.get(identifier) ??
    ranges.find(({ first, last }) => first <= identifier && identifier <= last)?.width ??
    other
}
