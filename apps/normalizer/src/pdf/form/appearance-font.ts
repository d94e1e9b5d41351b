import { PDFDocument, type PDFFont, StandardFonts } from 'pdf-lib'
import { isName, PdfDictionary, PdfName, type PdfObject, PdfReference } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { compositeEncoding, type FontEncoding } from './composite-font.ts'
import { simpleEncoding } from './simple-font.ts'
import { standardFor } from './standard-font.ts'
import { TextFont } from './text-font.ts'

/** A font for generated appearances: how it measures and encodes, and where it is in our document. */
export interface AppearanceFont {
  /** Its name in the resources of the appearance. */
  readonly resourceName: string
  readonly reference: PdfReference
  /** From the baseline to the top of its letters, and from line to line, in units of the text size. */
  readonly ascent: number
  readonly lineHeight: number
  /** Whether its codes are marks and signs, whatever letters they pass for. */
  readonly isSymbols: boolean
  /** Hexadecimal digits; null if it has no code for the character. */
  codeOf(char: string): string | null
  /** In units of the text size. */
  widthOf(char: string): number
}

/** Fonts of one form that are tried for a text that the named one lacks characters for. */
const maxTried = 20

/** Gives each font once. */
export class AppearanceFonts {
  readonly #graph: ObjectGraph
  readonly #document: PDFDocument
  readonly #standard = new Map<StandardFonts, Promise<AppearanceFont>>()
  /** How many fonts of the document have got a name. */
  #setIn = 0
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
   * resources; else all of them together, and Symbol for Greek and mathematics.
   *
   * @param resources where names are looked up, nearest first
   */
  async forText(
    name: string,
    resources: readonly PdfDictionary[],
    text: string,
  ): Promise<TextFont> {
    const tried: AppearanceFont[] = []
    const covering = (font: AppearanceFont | null): TextFont | null => {
      if (!font || tried.includes(font)) return null
      tried.push(font)
      const alone = new TextFont(font)
      return alone.covers(text) ? alone : null
    }
    const first =
      covering(await this.#named(name, resources)) ??
      covering(await this.standard(this.#standardNameOf(name, resources)))
    if (first) return first
    for (const entry of this.#fontsIn(resources).slice(0, maxTried)) {
      const other = covering(await this.#ofEntry(entry))
      if (other) return other
    }
    const symbol = await this.standard(StandardFonts.Symbol)
    const [letters = symbol, ...others] = tried.filter(({ isSymbols }) => !isSymbols)
    return new TextFont(letters, ...others, symbol)
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
    const resourceName = this.#setIn === 0 ? 'F' : `F${this.#setIn}`
    this.#setIn++
    return fontOf(encoding, measured, resourceName, reference)
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
    const width = encoding.widthOf(char) ?? standardWidth(measured, char)
    const made = { code, width: Number.isFinite(width) ? Math.max(0, width) / 1000 : 0 }
    glyphs.set(char, made)
    return made
  }
  return {
    resourceName,
    reference,
    isSymbols: symbolFonts.has(measured.name),
    ascent: measured.heightAtSize(1, { descender: false }),
    lineHeight: measured.heightAtSize(1),
    codeOf: (char) => glyph(char).code,
    widthOf: (char) => glyph(char).width,
  }
}

const symbolFonts: ReadonlySet<string> = new Set([StandardFonts.Symbol, StandardFonts.ZapfDingbats])

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
