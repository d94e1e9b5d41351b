import { type PDFDocument, type PDFFont, PDFHexString, StandardFonts } from 'pdf-lib'
import { isName, PdfDictionary, PdfName, type PdfObject, PdfReference } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/** A font for generated appearances: how pdf-lib measures and encodes with it, and where it is in our document. */
export interface AppearanceFont {
  readonly measured: PDFFont
  /** Its name in the resources of the appearance. */
  readonly resourceName: string
  readonly reference: PdfReference
  /** Whether it has a code for each character. */
  encodes(text: string): boolean
}

/** Gives each font once. */
export class AppearanceFonts {
  readonly #graph: ObjectGraph
  readonly #document: PDFDocument
  readonly #resources: PdfDictionary | null
  readonly #standard = new Map<StandardFonts, AppearanceFont>()
  readonly #ofForm = new Map<string, AppearanceFont>()

  constructor(graph: ObjectGraph, document: PDFDocument, resources: PdfDictionary | null) {
    this.#graph = graph
    this.#document = document
    this.#resources = resources
  }

  /** One of the standard 14 fonts (ISO 32000-2, 9.6.2.2). */
  async standard(name: StandardFonts): Promise<AppearanceFont> {
    const known = this.#standard.get(name)
    if (known) return known
    const measured = await this.#document.embedFont(name)
    const dictionary = new PdfDictionary([
      ['Type', new PdfName('Font')],
      ['Subtype', new PdfName('Type1')],
      ['BaseFont', new PdfName(name)],
    ])
    const isText = name !== StandardFonts.ZapfDingbats && name !== StandardFonts.Symbol
    if (isText) dictionary.set('Encoding', new PdfName('WinAnsiEncoding'))
    const characters = new Set(measured.getCharacterSet())
    const font: AppearanceFont = {
      measured,
      resourceName: name,
      reference: this.#graph.add(dictionary),
      encodes: (text) => Array.from(text).every((char) => characters.has(char.codePointAt(0) ?? 0)),
    }
    this.#standard.set(name, font)
    return font
  }

  /** The font that `/DA` names, if it is one that text can be set in without shaping; else the standard font closest to it. */
  async named(name: string): Promise<AppearanceFont> {
    const known = this.#ofForm.get(name)
    if (known) return known
    const font = (await this.#ofResources(name)) ?? (await this.standard(standardFor(name)))
    this.#ofForm.set(name, font)
    return font
  }

  async #ofResources(name: string): Promise<AppearanceFont | null> {
    const fonts = this.#graph.resolve(this.#resources?.get('Font'))
    const entry = fonts instanceof PdfDictionary ? fonts.get(name) : undefined
    const dictionary = this.#graph.resolve(entry)
    if (!(dictionary instanceof PdfDictionary) || !isSimple(this.#graph, dictionary)) return null

    const baseFont = this.#graph.resolve(dictionary.get('BaseFont'))
    const standard = standardFor(isName(baseFont) ? baseFont.value : name)
    // Its own copy: the measures are those of the form's font.
    const measured = await this.#document.embedFont(standard)
    const plain = { encodeText: measured.encodeText.bind(measured) }
    const codeOf = encodingOf(this.#graph, dictionary, plain.encodeText)
    const widthOf = widthsOf(this.#graph, dictionary)
    const measure = measured.widthOfTextAtSize.bind(measured)
    const codes = (text: string): (number | null)[] => Array.from(text, codeOf)

    measured.encodeText = (text) => PDFHexString.of(hexOf(codes(text)))
    if (widthOf) {
      measured.widthOfTextAtSize = (text, size) =>
        codes(text).reduce<number>((sum, code) => sum + widthOf(code ?? 0x3f) * (size / 1000), 0)
    } else {
      measured.widthOfTextAtSize = (text, size) => measure(inWinAnsi(plain, text), size)
    }
    return {
      measured,
      resourceName: 'F',
      reference: entry instanceof PdfReference ? entry : this.#graph.add(dictionary),
      encodes: (text) => codes(text).every((code) => code !== null),
    }
  }
}

function inWinAnsi(plain: Pick<PDFFont, 'encodeText'>, text: string): string {
  return Array.from(text, (char) =>
    winAnsiCode(plain.encodeText, char) === null ? '?' : char,
  ).join('')
}

/** One byte for each character, and not a font of symbols with codes of its own. */
function isSimple(graph: ObjectGraph, font: PdfDictionary): boolean {
  const subtype = graph.resolve(font.get('Subtype'))
  if (!isName(subtype) || !['Type1', 'MMType1', 'TrueType'].includes(subtype.value)) return false
  if (graph.resolve(font.get('Encoding')) !== null) return true
  const descriptor = graph.resolve(font.get('FontDescriptor'))
  if (!(descriptor instanceof PdfDictionary)) return true
  const flags = graph.resolve(descriptor.get('Flags'))
  // Table 121, bit 3: symbolic.
  return typeof flags !== 'number' || (flags & 4) === 0
}

/** 9.6.5: the base encoding and its differences, for the characters that WinAnsi and glyph names can tell. */
function encodingOf(
  graph: ObjectGraph,
  font: PdfDictionary,
  encodeText: PDFFont['encodeText'],
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
    const plain = isAscii ? code : winAnsiCode(encodeText, char)
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

function winAnsiCode(encodeText: PDFFont['encodeText'], char: string): number | null {
  try {
    return encodeText(char).asBytes()[0] ?? null
  } catch {
    return null
  }
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

/** By the name of the font or by the short names that forms use for the standard ones. */
function standardFor(name: string): StandardFonts {
  const plain = name.replace(/^[A-Z]{6}\+/, '')
  const isBold = /bold|black|heavy|bo$|bi$/i.test(plain)
  const isItalic = /ital|obli|it$|bi$|ob$/i.test(plain)
  const pick = <T>(regular: T, bold: T, italic: T, both: T): T => {
    if (isBold) return isItalic ? both : bold
    return isItalic ? italic : regular
  }
  const { ZapfDingbats, ...faces } = StandardFonts
  if (/^(zapf|zadb|dingbats)/i.test(plain)) return ZapfDingbats
  if (/^co(ur|bo|it|bi|ob)|mono/i.test(plain)) {
    return pick(faces.Courier, faces.CourierBold, faces.CourierOblique, faces.CourierBoldOblique)
  }
  if (/^ti(mes|ro|bo|it|bi)|serif|garamond|georgia|roman/i.test(plain) && !/sans/i.test(plain)) {
    return pick(
      faces.TimesRoman,
      faces.TimesRomanBold,
      faces.TimesRomanItalic,
      faces.TimesRomanBoldItalic,
    )
  }
  return pick(
    faces.Helvetica,
    faces.HelveticaBold,
    faces.HelveticaOblique,
    faces.HelveticaBoldOblique,
  )
}

/** The name of a character in the Adobe Glyph List: of Latin letters with accents and the usual signs. */
function glyphName(char: string): string {
  const named = glyphNames[char]
  if (named !== undefined) return named
  const [letter = '', accent = '', ...rest] = char.normalize('NFD')
  const accentName = accentNames[accent]
  if (accent === '') return /^[A-Za-z]$/.test(letter) ? letter : unicodeName(char)
  if (accentName === undefined || rest.length > 0) return unicodeName(char)
  return `${letter}${accentName}`
}

function unicodeName(char: string): string {
  return `uni${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const accentNames: Readonly<Partial<Record<string, string>>> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'circumflex',
  '\u0303': 'tilde',
  '\u0304': 'macron',
  '\u0306': 'breve',
  '\u0307': 'dotaccent',
  '\u0308': 'dieresis',
  '\u030a': 'ring',
  '\u030b': 'hungarumlaut',
  '\u030c': 'caron',
  '\u0327': 'cedilla',
  '\u0328': 'ogonek',
}

const glyphNames: Readonly<Partial<Record<string, string>>> = Object.fromEntries(
  (
    '! exclam " quotedbl # numbersign $ dollar % percent & ampersand \' quotesingle ( parenleft ' +
    ') parenright * asterisk + plus , comma - hyphen . period / slash 0 zero 1 one 2 two 3 three 4 four ' +
    '5 five 6 six 7 seven 8 eight 9 nine : colon ; semicolon < less = equal > greater ? question @ at ' +
    '[ bracketleft \\ backslash ] bracketright ^ asciicircum _ underscore ` grave { braceleft | bar ' +
    '} braceright ~ asciitilde \u20ac Euro \u2022 bullet \u2013 endash \u2014 emdash \u2026 ellipsis ' +
    '\u2018 quoteleft \u2019 quoteright \u201c quotedblleft \u201d quotedblright \u201a quotesinglbase ' +
    '\u201e quotedblbase \u2039 guilsinglleft \u203a guilsinglright \u00ab guillemotleft ' +
    '\u00bb guillemotright \u2122 trademark \u00a9 copyright \u00ae registered \u00b0 degree ' +
    '\u00b1 plusminus \u00b5 mu \u00b7 periodcentered \u00a7 section \u00b6 paragraph \u00a3 sterling ' +
    '\u00a5 yen \u00a2 cent \u00df germandbls \u00e6 ae \u00c6 AE \u00f8 oslash \u00d8 Oslash \u0153 oe ' +
    '\u0152 OE \u0142 lslash \u0141 Lslash \u00f0 eth \u00d0 Eth \u00fe thorn \u00de Thorn ' +
    '\u0131 dotlessi \u2020 dagger \u2021 daggerdbl \u2212 minus \u00d7 multiply \u00f7 divide'
  )
    .split(' ')
    .reduce<[string, string][]>(
      (pairs, word, index, words) => {
        if (index % 2 === 1) pairs.push([words[index - 1] ?? '', word])
        return pairs
      },
      [[' ', 'space']],
    ),
)

/** A question mark where there is no code. */
function hexOf(codes: readonly (number | null)[]): string {
  return Buffer.from(codes.map((code) => code ?? 0x3f))
    .toString('hex')
    .toUpperCase()
}
