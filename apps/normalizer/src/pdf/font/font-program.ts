import type { FontGraph } from '../content/content-graph.ts'
import type { PdfDictionary } from '../object.ts'
import { namedEncoding } from './base-encoding.ts'
import { type CffProgram, readCff } from './cff-program.ts'
import { fontStream } from './font-stream.ts'
import { textOfGlyphName } from './glyph-list.ts'
import { readTrueType, type TrueTypeProgram } from './true-type-program.ts'
import { type1Encoding } from './type1-program.ts'

/** What an embedded font program tells of the text of its glyphs. */
export interface FontProgram {
  /** The text of a simple font's code by the built-in encoding; null where there is none or nobody knows it. */
  textOfCode(code: number): string | null
  /** The text of a glyph, by its index; of programs that are keyed by character identifiers always null. */
  textOfGlyph(glyph: number): string | null
}

/** null where no program is embedded that can be read. */
export function embeddedProgram(graph: FontGraph, descriptor: PdfDictionary): FontProgram | null {
  for (const key of ['FontFile', 'FontFile2', 'FontFile3']) {
    const bytes = fontStream(graph, descriptor.get(key))
    if (bytes) return programOf(bytes)
  }
  return null
}

/** By how it begins: writers mix the keys up. */
function programOf(bytes: Uint8Array): FontProgram | null {
  const magic = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (magic.startsWith('%!') || magic.startsWith('\x80\x01')) return type1(bytes)
  if (['\0\x01\0\0', 'true', 'ttcf', 'OTTO'].includes(magic)) {
    const program = readTrueType(bytes)
    const table = program?.table('CFF ')
    const cff = table && readCff(bytes.subarray(table.offset, table.offset + table.length))
    return cff ? compact(cff, program) : program && trueType(program)
  }
  const cff = readCff(bytes)
  return cff && compact(cff, null)
}

function type1(bytes: Uint8Array): FontProgram {
  const encoding = type1Encoding(bytes)
  return {
    textOfGlyph: () => null,
    textOfCode(code) {
      if (encoding === 'standard') return namedEncoding('StandardEncoding')?.[code] || null
      const name = encoding?.get(code)
      return name === undefined ? null : textOfGlyphName(name)
    },
  }
}

function trueType(program: TrueTypeProgram): FontProgram {
  return {
    textOfGlyph: (glyph) => program.textOf(glyph),
    textOfCode(code) {
      const shown = program.glyphOf(code)
      if (shown === null) return null
      // The codes of one map are an encoding (OpenType, `cmap`); those of the other are as a rule what Windows writes.
      const encoding = shown.map === 'macintosh' ? 'MacRomanEncoding' : 'WinAnsiEncoding'
      return program.textOf(shown.glyph) ?? (namedEncoding(encoding)?.[code] || null)
    },
  }
}

function compact(cff: CffProgram, outlines: TrueTypeProgram | null): FontProgram {
  const textOfGlyph = (glyph: number): string | null => {
    const name = cff.nameOf(glyph)
    return (name === null ? null : textOfGlyphName(name)) ?? outlines?.textOf(glyph) ?? null
  }
  return {
    textOfGlyph,
    textOfCode(code) {
      if (cff.encoding !== null) return namedEncoding(cff.encoding)?.[code] || null
      const glyph = cff.glyphOf(code)
      return glyph === null ? null : textOfGlyph(glyph)
    },
  }
}
