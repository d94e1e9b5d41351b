import { Encodings, Font } from '@pdf-lib/standard-fonts'
import type { StandardFont } from './standard-font.ts'

/** Metrics and encoding of a standard font as Adobe publishes them. */
export interface StandardMetrics {
  /** From the baseline to the top of its letters, and from line to line, in units of the text size. */
  readonly ascent: number
  readonly lineHeight: number
  /** WinAnsi, or the font's own for marks and signs; null where it has no such character. */
  readonly codeOf: (char: string) => number | null
  /** In thousandths of the text size; null where it has no such character. */
  readonly widthOf: (char: string) => number | null
}

/** A glyph without a width of its own. */
const usualWidth = 250

export function standardMetrics(name: StandardFont): StandardMetrics {
  const font = Font.load(name)
  const encoding =
    name === 'Symbol' || name === 'ZapfDingbats' ? Encodings[name] : Encodings.WinAnsi
  const [, lowest, , highest] = font.FontBBox
  const top = font.Ascender || highest
  const bottom = font.Descender || lowest
  const encoded = (char: string): { code: number; name: string } | null => {
    const codePoint = char.codePointAt(0) ?? 0
    return encoding.canEncodeUnicodeCodePoint(codePoint)
      ? encoding.encodeUnicodeCodePoint(codePoint)
      : null
  }
  return {
    ascent: (top - bottom + (font.Descender || 0)) / 1000,
    lineHeight: (top - bottom) / 1000,
    codeOf: (char) => encoded(char)?.code ?? null,
    widthOf: (char) => {
      const glyph = encoded(char)
      return glyph && (font.getWidthOfGlyph(glyph.name) ?? usualWidth)
    },
  }
}
