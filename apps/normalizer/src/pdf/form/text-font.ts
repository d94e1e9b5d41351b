import type { AppearanceFont } from './appearance-font.ts'
import { joinedArabic } from './arabic-joining.ts'
import { visualOrder } from './visual-order.ts'

/** Characters that stand beside each other and are set in one font. */
export interface TextRun {
  readonly font: AppearanceFont
  /** Hexadecimal digits. */
  readonly codes: string
  /** From the beginning of the line, in units of the text size. */
  readonly offset: number
}

/** The fonts that a text is set in: each character in the first that has it. */
export class TextFont {
  readonly #fonts: readonly AppearanceFont[]
  /** From the baseline to the top of its letters, and from line to line, in units of the text size. */
  readonly ascent: number
  readonly lineHeight: number

  constructor(first: AppearanceFont, ...others: readonly AppearanceFont[]) {
    this.#fonts = [first, ...others]
    this.ascent = first.ascent
    this.lineHeight = first.lineHeight
  }

  /** Whether there is a code for each character; brackets of right-to-left text are mirrored. */
  covers(text: string): boolean {
    return Array.from(this.#standing(text)).every((char) => this.#fontOf(char) !== null)
  }

  /** In units of the text size. */
  widthOf(text: string): number {
    let width = 0
    for (const char of this.#standing(text)) {
      const { font, shown } = this.#choose(char)
      width += font.widthOf(shown)
    }
    return width
  }

  /** One line as it stands from left to right, with question marks for what no font has. */
  runsOf(line: string): TextRun[] {
    const runs: { font: AppearanceFont; codes: string; offset: number }[] = []
    let offset = 0
    for (const char of this.#standing(line)) {
      const { font, shown } = this.#choose(char)
      const last = runs.at(-1)
      const code = font.codeOf(shown) ?? ''
      if (last?.font === font) last.codes += code
      else runs.push({ font, codes: code, offset })
      offset += font.widthOf(shown)
    }
    return runs.map(({ font, codes, offset: start }) => ({
      font,
      codes: codes.toUpperCase(),
      offset: start,
    }))
  }

  /**
   * What stands from left to right: letters of the Arabic script joined, and without characters that only say how
   * others are ordered, joined or varied, unless some font has them.
   */
  #standing(line: string): string {
    const has = (char: string): boolean => this.#fontOf(char) !== null
    return visualOrder(joinedArabic(line, has)).replace(
      /\p{Default_Ignorable_Code_Point}/gu,
      (char) => (has(char) ? char : ''),
    )
  }

  #choose(char: string): { font: AppearanceFont; shown: string } {
    const font = this.#fontOf(char)
    if (font) return { font, shown: char }
    const [first] = this.#fonts
    const substitute = this.#fontOf('?') ?? first
    if (!substitute) throw new Error('A text needs a font')
    return { font: substitute, shown: '?' }
  }

  #fontOf(char: string): AppearanceFont | null {
    return this.#fonts.find((font) => font.codeOf(char) !== null) ?? null
  }
}
