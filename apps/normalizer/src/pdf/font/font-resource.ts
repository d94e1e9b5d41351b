import { decodeStream } from '../filter/decode-stream.ts'
import { inflateSync, constants } from 'node:zlib'
import { isName, PdfDictionary, PdfName, type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/** What can be said of a font dictionary (ISO 32000-2, 9.5) without looking at its glyphs. */
export interface FontFacts {
  /** `/BaseFont`, or `/Name` of a Type 3 font; empty where there is none. */
  readonly name: string
  /** `/Subtype`, for a composite font that of its descendant. */
  readonly type: string
  readonly embedded: boolean
}

/** Kinds of font programs by the key under which the descriptor has them (table 124). */
const acceptedPrograms: ReadonlyMap<string, readonly string[]> = new Map([
  ['Type1', ['FontFile', 'FontFile3:Type1C', 'FontFile3:OpenType']],
  ['MMType1', ['FontFile', 'FontFile3:Type1C', 'FontFile3:OpenType']],
  ['TrueType', ['FontFile2', 'FontFile3:OpenType']],
  ['CIDFontType0', ['FontFile3:CIDFontType0C', 'FontFile3:OpenType']],
  ['CIDFontType2', ['FontFile2', 'FontFile3:OpenType']],
])

/**
 * A font's name, type, and whether its program is in the file: of a kind that fits the font, not empty, and beginning as such
 * programs do (trust, section 6). Of a composite font the descendant's descriptor counts.
 */
export function fontFacts(graph: ObjectGraph, font: PdfDictionary): FontFacts {
  const subtype = nameOf(graph, font, 'Subtype')
  if (subtype === 'Type3') {
    return { name: nameOf(graph, font, 'Name'), type: subtype, embedded: true }
  }
  const described = subtype === 'Type0' ? descendant(graph, font) : font
  const type = nameOf(graph, described, 'Subtype') || subtype
  const descriptor = graph.resolve(described.get('FontDescriptor'))
  return {
    name: nameOf(graph, font, 'BaseFont') || nameOf(graph, described, 'BaseFont'),
    type,
    embedded: descriptor instanceof PdfDictionary && hasProgram(graph, type, descriptor),
  }
}

/** The form of a subset's name (9.9.2): six upper-case letters and a plus sign. */
export function isSubsetName(name: string): boolean {
  return /^[A-Z]{6}\+/.test(name)
}

/** The fourteen fonts that readers have (9.6.2.2), and the names under which Windows writers use them. */
const standardFamilies: ReadonlyMap<string, readonly string[]> = new Map([
  ['Courier', ['', 'Bold', 'BoldOblique', 'Oblique', 'BoldItalic', 'Italic']],
  ['CourierNew', ['', 'Bold', 'BoldItalic', 'Italic']],
  ['CourierNewPS', ['BoldItalicMT', 'BoldMT', 'ItalicMT', 'MT']],
  ['CourierNewPSMT', ['']],
  ['Helvetica', ['', 'Bold', 'BoldOblique', 'Oblique', 'BoldItalic', 'Italic']],
  ['Arial', ['', 'Bold', 'BoldItalic', 'Italic', 'BoldMT', 'BoldItalicMT', 'ItalicMT']],
  ['ArialMT', ['']],
  ['Times', ['Roman', 'Bold', 'BoldItalic', 'Italic']],
  ['TimesNewRoman', ['', 'Bold', 'BoldItalic', 'Italic']],
  ['TimesNewRomanPS', ['', 'Bold', 'BoldItalic', 'BoldItalicMT', 'BoldMT', 'Italic', 'ItalicMT']],
  ['TimesNewRomanPSMT', ['']],
  ['Symbol', ['']],
  ['ZapfDingbats', ['']],
])

/** Whether the name is one of the standard fourteen or an alias of one; `,` and `-` both separate the style. */
export function isStandard14(name: string): boolean {
  const [family = '', style = ''] = name.split(/[-,]/, 2)
  return standardFamilies.get(family)?.includes(style) ?? false
}

function nameOf(graph: ObjectGraph, dictionary: PdfDictionary, key: string): string {
  const value = graph.resolve(dictionary.get(key))
  return value instanceof PdfName ? Buffer.from(value.value, 'latin1').toString('utf8') : ''
}

function descendant(graph: ObjectGraph, font: PdfDictionary): PdfDictionary {
  const descendants = graph.resolve(font.get('DescendantFonts'))
  const first = Array.isArray(descendants) ? graph.resolve(descendants[0]) : null
  return first instanceof PdfDictionary ? first : new PdfDictionary()
}

function hasProgram(graph: ObjectGraph, type: string, descriptor: PdfDictionary): boolean {
  return ['FontFile', 'FontFile2', 'FontFile3'].some((key) => {
    const program = graph.resolve(descriptor.get(key))
    if (!(program instanceof PdfStream)) return false
    const subtype = nameOf(graph, program.dictionary, 'Subtype')
    const kind = key === 'FontFile3' ? `FontFile3:${subtype}` : key
    const accepted = acceptedPrograms.get(type)
    // A font of no known type is shown by its program, if it has one.
    return (accepted?.includes(kind) ?? true) && startsAsProgram(graph, kind, program)
  })
}

function startsAsProgram(graph: ObjectGraph, kind: string, program: PdfStream): boolean {
  const bytes = firstBytes(graph, program)
  const magic = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  switch (kind) {
    case 'FontFile':
      return magic.startsWith('%!') || magic.startsWith('\x80\x01')
    case 'FontFile3:Type1C':
    case 'FontFile3:CIDFontType0C':
      return magic.startsWith('\x01')
    default:
      return ['\0\x01\0\0', 'true', 'ttcf', 'OTTO'].includes(magic)
  }
}

/** Enough of the data to know it by; a deflated program is not inflated whole for it. */
function firstBytes(graph: ObjectGraph, stream: PdfStream): Uint8Array {
  const { dictionary, data } = stream
  if (isLoneFlate(graph, dictionary)) {
    try {
      return inflateSync(data.subarray(0, 512), {
        finishFlush: constants.Z_SYNC_FLUSH,
        // Documents have thousands of fonts, and each would leave the 16 KiB that zlib takes by itself.
        chunkSize: 1024,
      })
    } catch {
      // Damaged at the start: the tolerant way may still get something out of it.
    }
  }
  return decodeStream(graph, stream) ?? new Uint8Array()
}

function isLoneFlate(graph: ObjectGraph, dictionary: PdfDictionary): boolean {
  const filter: PdfObject = graph.resolve(dictionary.get('Filter'))
  const lone = Array.isArray(filter) && filter.length === 1 ? graph.resolve(filter[0]) : filter
  return isName(lone, 'FlateDecode') && graph.resolve(dictionary.get('DecodeParms')) === null
}
