import { isName, PdfDictionary, PdfName, type PdfObject, PdfReference } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { compositeEncoding, type FontEncoding } from './composite-font.ts'
import { simpleEncoding } from './simple-font.ts'
import { type StandardFont, standardFor } from './standard-font.ts'
import { type StandardMetrics, standardMetrics } from './standard-metrics.ts'
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
  readonly #standard = new Map<StandardFont, AppearanceFont>()
  /** How many fonts of the document have got a name. */
  #setIn = 0
  readonly #ofDocument = new Map<PdfDictionary, AppearanceFont | null>()

  constructor(graph: ObjectGraph) {
    this.#graph = graph
  }

  /**
   * The first that has all characters: the font that `/DA` names, the standard font closest to it, any other of the
   * resources; else all of them together, and Symbol for Greek and mathematics.
   *
   * @param resources where names are looked up, nearest first
   */
  forText(name: string, resources: readonly PdfDictionary[], text: string): TextFont {
    const tried: AppearanceFont[] = []
    const covering = (font: AppearanceFont | null): TextFont | null => {
      if (!font || tried.includes(font)) return null
      tried.push(font)
      const alone = new TextFont(font)
      return alone.covers(text) ? alone : null
    }
    const first =
      covering(this.#named(name, resources)) ??
      covering(this.standard(this.#standardNameOf(name, resources)))
    if (first) return first
    for (const entry of this.#fontsIn(resources).slice(0, maxTried)) {
      const other = covering(this.#ofEntry(entry))
      if (other) return other
    }
    const symbol = this.standard('Symbol')
    const [letters = symbol, ...others] = tried.filter(({ isSymbols }) => !isSymbols)
    return new TextFont(letters, ...others, symbol)
  }

  standard(name: StandardFont): AppearanceFont {
    const known = this.#standard.get(name)
    if (known) return known
    const font = this.#makeStandard(name)
    this.#standard.set(name, font)
    return font
  }

  #makeStandard(name: StandardFont): AppearanceFont {
    const metrics = standardMetrics(name)
    const dictionary = new PdfDictionary([
      ['Type', new PdfName('Font')],
      ['Subtype', new PdfName('Type1')],
      ['BaseFont', new PdfName(name)],
    ])
    if (!symbolFonts.has(name)) dictionary.set('Encoding', new PdfName('WinAnsiEncoding'))
    const encoding: FontEncoding = {
      codeOf: (char) => metrics.codeOf(char)?.toString(16).padStart(2, '0') ?? null,
      widthOf: () => null,
    }
    return fontOf(encoding, name, metrics, name, this.#graph.add(dictionary))
  }

  #entryNamed(name: string, resources: readonly PdfDictionary[]): PdfObject | undefined {
    for (const one of resources) {
      const fonts = this.#graph.resolve(one.get('Font'))
      const entry = fonts instanceof PdfDictionary ? fonts.get(name) : undefined
      if (this.#graph.resolve(entry) instanceof PdfDictionary) return entry
    }
    return undefined
  }

  #named(name: string, resources: readonly PdfDictionary[]): AppearanceFont | null {
    const entry = this.#entryNamed(name, resources)
    return entry === undefined ? null : this.#ofEntry(entry)
  }

  #fontsIn(resources: readonly PdfDictionary[]): PdfObject[] {
    return resources.flatMap((one) => {
      const fonts = this.#graph.resolve(one.get('Font'))
      return fonts instanceof PdfDictionary ? [...fonts.values()] : []
    })
  }

  #standardNameOf(name: string, resources: readonly PdfDictionary[]): StandardFont {
    const font = this.#graph.resolve(this.#entryNamed(name, resources))
    const baseFont =
      font instanceof PdfDictionary ? this.#graph.resolve(font.get('BaseFont')) : null
    const standard = standardFor(isName(baseFont) ? baseFont.value : name)
    // A text in a font of symbols is a mistake of the file; readers set it in letters.
    return standard === 'ZapfDingbats' ? 'Helvetica' : standard
  }

  #ofEntry(entry: PdfObject): AppearanceFont | null {
    const dictionary = this.#graph.resolve(entry)
    if (!(dictionary instanceof PdfDictionary)) return null
    const known = this.#ofDocument.get(dictionary)
    if (known !== undefined) return known
    const font = this.#makeOfDocument(entry, dictionary)
    this.#ofDocument.set(dictionary, font)
    return font
  }

  #makeOfDocument(entry: PdfObject, dictionary: PdfDictionary): AppearanceFont | null {
    const baseFont = this.#graph.resolve(dictionary.get('BaseFont'))
    const standard = standardFor(isName(baseFont) ? baseFont.value : '')
    const metrics = standardMetrics(standard)
    const isComposite = isName(this.#graph.resolve(dictionary.get('Subtype')), 'Type0')
    const encoding = isComposite
      ? compositeEncoding(this.#graph, dictionary)
      : simpleEncoding(this.#graph, dictionary, metrics.codeOf)
    if (!encoding) return null
    const reference = entry instanceof PdfReference ? entry : this.#graph.add(dictionary)
    const resourceName = this.#setIn === 0 ? 'F' : `F${this.#setIn}`
    this.#setIn++
    return fontOf(encoding, standard, metrics, resourceName, reference)
  }
}

/** @param metrics of the standard font, which hold where the font itself gives none */
function fontOf(
  encoding: FontEncoding,
  standard: StandardFont,
  metrics: StandardMetrics,
  resourceName: string,
  reference: PdfReference,
): AppearanceFont {
  const glyphs = new Map<string, { code: string | null; width: number }>()
  const glyph = (char: string): { code: string | null; width: number } => {
    const known = glyphs.get(char)
    if (known) return known
    const width = encoding.widthOf(char) ?? metrics.widthOf(char) ?? unknownWidth
    const made = {
      code: encoding.codeOf(char),
      width: Number.isFinite(width) ? Math.max(0, width) / 1000 : 0,
    }
    glyphs.set(char, made)
    return made
  }
  return {
    resourceName,
    reference,
    isSymbols: symbolFonts.has(standard),
    ascent: metrics.ascent,
    lineHeight: metrics.lineHeight,
    codeOf: (char) => glyph(char).code,
    widthOf: (char) => glyph(char).width,
  }
}

const symbolFonts: ReadonlySet<StandardFont> = new Set(['Symbol', 'ZapfDingbats'])

/** Of a character that the standard font lacks: there is none to measure. */
const unknownWidth = 500
