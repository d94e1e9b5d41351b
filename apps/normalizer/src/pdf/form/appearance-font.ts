import { PDFDocument, type PDFFont, PDFHexString, StandardFonts } from 'pdf-lib'
import { isName, PdfDictionary, PdfName, type PdfObject, PdfReference } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { compositeEncoding, type FontEncoding } from './composite-font.ts'
import { simpleEncoding } from './simple-font.ts'
import { standardFor } from './standard-font.ts'
import { visualOrder } from './visual-order.ts'

/** A font for generated appearances: how it measures and encodes, and where it is in our document. */
export interface AppearanceFont {
  /** Its name in the resources of the appearance. */
  readonly resourceName: string
  readonly reference: PdfReference
  /** From the baseline to the top of its letters, and from line to line, in units of the text size. */
  readonly ascent: number
  readonly lineHeight: number
  /** Whether it has a code for each character. */
  encodes(text: string): boolean
  /** One line as it stands from left to right; question marks for what it has no code for. */
  encode(line: string): PDFHexString
  /** In units of the text size. */
  widthOf(text: string): number
}

/** Fonts of one form that are tried for a text that the named one lacks characters for. */
const maxTried = 20

/** Gives each font once. */
export class AppearanceFonts {
  readonly #graph: ObjectGraph
  readonly #document: PDFDocument
  readonly #standard = new Map<StandardFonts, Promise<AppearanceFont>>()
  readonly #ofDocument = new Map<PdfDictionary, Promise<AppearanceFont | null>>()

  private constructor(graph: ObjectGraph, document: PDFDocument) {
    this.#graph = graph
    this.#document = document
  }

  static async create(graph: ObjectGraph): Promise<AppearanceFonts> {
    return new AppearanceFonts(graph, await PDFDocument.create({ updateMetadata: false }))
  }

  /**
   * The first that has all characters: the font that `/DA` names, the standard font closest to it, any other of the
   * resources; else the standard one.
   *
   * @param resources where names are looked up, nearest first
   */
  async forText(
    name: string,
    resources: readonly PdfDictionary[],
    text: string,
  ): Promise<AppearanceFont> {
    const named = await this.#named(name, resources)
    if (named?.encodes(text)) return named
    const standard = await this.standard(this.#standardNameOf(name, resources))
    if (standard.encodes(text)) return standard
    for (const entry of this.#fontsIn(resources).slice(0, maxTried)) {
      const font = await this.#ofEntry(entry)
      if (font?.encodes(text)) return font
    }
    return standard
  }

  /** One of the standard 14 fonts (ISO 32000-2, 9.6.2.2). */
  standard(name: StandardFonts): Promise<AppearanceFont> {
    const known = this.#standard.get(name)
    if (known) return known
    const font = this.#makeStandard(name)
    this.#standard.set(name, font)
    return font
  }

  async #makeStandard(name: StandardFonts): Promise<AppearanceFont> {
    const measured = await this.#document.embedFont(name)
    const dictionary = new PdfDictionary([
      ['Type', new PdfName('Font')],
      ['Subtype', new PdfName('Type1')],
      ['BaseFont', new PdfName(name)],
    ])
    const isText = name !== StandardFonts.ZapfDingbats && name !== StandardFonts.Symbol
    if (isText) dictionary.set('Encoding', new PdfName('WinAnsiEncoding'))
    const characters = new Set(measured.getCharacterSet())
    return fontOf(
      {
        codeOf: (char) =>
          characters.has(char.codePointAt(0) ?? 0) ? measured.encodeText(char).asString() : null,
        widthOf: () => null,
      },
      measured,
      name,
      this.#graph.add(dictionary),
    )
  }

  #entryNamed(name: string, resources: readonly PdfDictionary[]): PdfObject | undefined {
    for (const one of resources) {
      const fonts = this.#graph.resolve(one.get('Font'))
      const entry = fonts instanceof PdfDictionary ? fonts.get(name) : undefined
      if (this.#graph.resolve(entry) instanceof PdfDictionary) return entry
    }
    return undefined
  }

  async #named(name: string, resources: readonly PdfDictionary[]): Promise<AppearanceFont | null> {
    const entry = this.#entryNamed(name, resources)
    return entry === undefined ? null : this.#ofEntry(entry)
  }

  #fontsIn(resources: readonly PdfDictionary[]): PdfObject[] {
    return resources.flatMap((one) => {
      const fonts = this.#graph.resolve(one.get('Font'))
      return fonts instanceof PdfDictionary ? [...fonts.values()] : []
    })
  }

  #standardNameOf(name: string, resources: readonly PdfDictionary[]): StandardFonts {
    const font = this.#graph.resolve(this.#entryNamed(name, resources))
    const baseFont =
      font instanceof PdfDictionary ? this.#graph.resolve(font.get('BaseFont')) : null
    const standard = standardFor(isName(baseFont) ? baseFont.value : name)
    // A text in a font of symbols is a mistake of the file; readers set it in letters.
    return standard === StandardFonts.ZapfDingbats ? StandardFonts.Helvetica : standard
  }

  #ofEntry(entry: PdfObject): Promise<AppearanceFont | null> {
    const dictionary = this.#graph.resolve(entry)
    if (!(dictionary instanceof PdfDictionary)) return Promise.resolve(null)
    const known = this.#ofDocument.get(dictionary)
    if (known) return known
    const font = this.#makeOfDocument(entry, dictionary)
    this.#ofDocument.set(dictionary, font)
    return font
  }

  async #makeOfDocument(
    entry: PdfObject,
    dictionary: PdfDictionary,
  ): Promise<AppearanceFont | null> {
    const baseFont = this.#graph.resolve(dictionary.get('BaseFont'))
    const standard = standardFor(isName(baseFont) ? baseFont.value : '')
    const measured = await this.#document.embedFont(standard)
    const isComposite = isName(this.#graph.resolve(dictionary.get('Subtype')), 'Type0')
    const encoding = isComposite
      ? compositeEncoding(this.#graph, dictionary)
      : simpleEncoding(this.#graph, dictionary, (char) => winAnsiCode(measured, char))
    if (!encoding) return null
    const reference = entry instanceof PdfReference ? entry : this.#graph.add(dictionary)
    return fontOf(encoding, measured, 'F', reference)
  }
}

/** @param measured the standard font whose metrics hold where the font itself gives none */
function fontOf(
  encoding: FontEncoding,
  measured: PDFFont,
  resourceName: string,
  reference: PdfReference,
): AppearanceFont {
  const glyphs = new Map<string, { code: string | null; width: number }>()
  const glyph = (char: string): { code: string | null; width: number } => {
    const known = glyphs.get(char)
    if (known) return known
    const code = encoding.codeOf(char)
    const shown = code === null ? '?' : char
    const width = encoding.widthOf(shown) ?? standardWidth(measured, shown)
    const made = { code, width: Number.isFinite(width) ? Math.max(0, width) / 1000 : 0 }
    glyphs.set(char, made)
    return made
  }
  return {
    resourceName,
    reference,
    ascent: measured.heightAtSize(1, { descender: false }),
    lineHeight: measured.heightAtSize(1),
    // As it is set: brackets of right-to-left text are mirrored.
    encodes: (text) => Array.from(visualOrder(text)).every((char) => glyph(char).code !== null),
    encode: (line) => {
      const unknown = encoding.codeOf('?') ?? ''
      const codes = Array.from(visualOrder(line), (char) => glyph(char).code ?? unknown)
      return PDFHexString.of(codes.join('').toUpperCase())
    },
    widthOf: (text) => {
      let width = 0
      for (const char of text) width += glyph(char).width
      return width
    },
  }
}

/** Of a character that the standard font lacks, half the text size: there is none to measure. */
function standardWidth(measured: PDFFont, char: string): number {
  try {
    return measured.widthOfTextAtSize(char, 1000)
  } catch {
    return 500
  }
}

function winAnsiCode(measured: PDFFont, char: string): number | null {
  try {
    return measured.encodeText(char).asBytes()[0] ?? null
  } catch {
    return null
  }
}
