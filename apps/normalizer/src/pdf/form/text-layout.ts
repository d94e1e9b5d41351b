import type { AppearanceFont } from './appearance-font.ts'
import type { TextFont } from './text-font.ts'
import { visualOrder } from './visual-order.ts'

/** Where text may stand, in the widget's upright space. */
export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Part of a line in one font, with the point where its baseline begins. */
export interface PlacedText {
  readonly font: AppearanceFont
  /** Hexadecimal digits. */
  readonly codes: string
  readonly x: number
  readonly y: number
}

export interface TextLayout {
  readonly lines: readonly PlacedText[]
  readonly fontSize: number
}

/** How a line stands in its bounds: `/Q` of ISO 32000-2, table 228. */
export type Quadding = 0 | 1 | 2

interface Setting {
  readonly font: TextFont
  /** 0: to fit. */
  readonly fontSize: number
  readonly quadding: Quadding
  readonly bounds: Bounds
}

const defaultFontSize = 12
const smallestFontSize = 4
const largestFontSize = 500
/** More lines than any rectangle shows. */
const maxLines = 2000
/** From line to line readers leave the height of the font's box. */
const leadingOfHeight = 1.25

export function layOutLine(text: string, setting: Setting): TextLayout {
  const { font, bounds } = setting
  const line = text.replaceAll('\n', ' ')
  const fontSize = setting.fontSize || fittingSize(font, font.widthOf(line), bounds)
  return {
    lines: placed(line, setting, fontSize, baselineOfOne(font, fontSize, bounds)),
    fontSize,
  }
}

/** Lines break between words, within words that are wider than the bounds, and between Chinese and Japanese characters. */
export function layOutLines(text: string, setting: Setting): TextLayout {
  const { font, bounds } = setting
  // To fit means down from the usual size, not up to a single word across the box.
  let fontSize = setting.fontSize || defaultFontSize
  let broken = brokenLines(text, font, bounds.width / fontSize)
  while (setting.fontSize === 0 && fontSize > smallestFontSize) {
    if (broken.length * leading(font, fontSize) <= bounds.height) break
    fontSize--
    broken = brokenLines(text, font, bounds.width / fontSize)
  }
  const top = bounds.y + bounds.height - font.lineHeight * fontSize
  const visible = broken.slice(0, Math.ceil(bounds.height / leading(font, fontSize)) + 1)
  const lines = visible.flatMap((line, index) =>
    placed(line, setting, fontSize, top - index * leading(font, fontSize)),
  )
  return { lines, fontSize }
}

/** One character in the middle of each cell; the line keeps to the side that the quadding says. */
export function layOutComb(text: string, cellCount: number, setting: Setting): TextLayout {
  const { font, bounds, quadding } = setting
  const characters = text.replaceAll('\n', ' ').match(/[^]\p{M}*/gu) ?? []
  const shown = visualOrder(characters.slice(0, cellCount).join('')).match(/[^]\p{M}*/gu) ?? []
  const widest = Math.max(...shown.map((char) => font.widthOf(char)))
  const fontSize = setting.fontSize || fittingSize(font, widest * cellCount, bounds)
  const y = baselineOfOne(font, fontSize, bounds)
  const cell = bounds.width / cellCount
  const free = cellCount - shown.length
  const first = quadding === 0 ? 0 : quadding === 1 ? Math.floor(free / 2) : free
  const lines = shown.flatMap((char, index) => {
    const x = bounds.x + cell * (first + index + 0.5) - (font.widthOf(char) * fontSize) / 2
    return runsAt(char, font, fontSize, x, y)
  })
  return { lines, fontSize }
}

/** Options from the top down, one a line, with the height of each line and how many there is room for. */
export function layOutList(
  options: readonly string[],
  setting: Setting,
): TextLayout & { readonly lineHeight: number; readonly count: number } {
  const { font, bounds } = setting
  const fontSize = setting.fontSize || defaultFontSize
  const lineHeight = leading(font, fontSize)
  const top = bounds.y + bounds.height - font.lineHeight * fontSize
  const visible = options.slice(0, Math.ceil(bounds.height / lineHeight))
  const lines = visible.flatMap((option, index) =>
    placed(option, setting, fontSize, top - index * lineHeight),
  )
  return { lines, fontSize, lineHeight, count: visible.length }
}

/** The largest whole size at which one line fits. */
function fittingSize(font: TextFont, widthAtOne: number, { width, height }: Bounds): number {
  const size = Math.min(width / widthAtOne, height / font.lineHeight)
  return Math.max(smallestFontSize, Math.min(largestFontSize, Math.floor(size)))
}

function leading(font: TextFont, fontSize: number): number {
  return font.lineHeight * leadingOfHeight * fontSize
}

/** Letters stand in the middle of the height. */
function baselineOfOne(font: TextFont, fontSize: number, { y, height }: Bounds): number {
  return y + (height - font.ascent * fontSize) / 2
}

function placed(
  line: string,
  { font, quadding, bounds }: Setting,
  fontSize: number,
  y: number,
): PlacedText[] {
  const free = quadding === 0 ? 0 : bounds.width - font.widthOf(line) * fontSize
  return runsAt(line, font, fontSize, bounds.x + (quadding === 1 ? free / 2 : free), y)
}

function runsAt(
  line: string,
  textFont: TextFont,
  fontSize: number,
  x: number,
  y: number,
): PlacedText[] {
  return textFont
    .runsOf(line)
    .map(({ font, codes, offset }) => ({ font, codes, x: x + offset * fontSize, y }))
}

/** @param width in units of the text size */
function brokenLines(text: string, font: TextFont, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    let lineWidth = 0
    for (const { piece, startsLine } of piecesOf(paragraph, font, width)) {
      const pieceWidth = font.widthOf(piece)
      if (line !== '' && (startsLine || lineWidth + font.widthOf(piece.trimEnd()) > width)) {
        lines.push(line.trimEnd())
        line = ''
        lineWidth = 0
      }
      line += piece
      lineWidth += pieceWidth
      if (lines.length >= maxLines) return lines
    }
    lines.push(line.trimEnd())
  }
  return lines
}

/**
 * Words with the space behind them; ideographs and kana each by itself, and letters of words that are too wide, of which
 * the first starts a line.
 */
function* piecesOf(
  paragraph: string,
  font: TextFont,
  width: number,
): Generator<{ piece: string; startsLine: boolean }> {
  for (const word of paragraph.match(/[^ ]+ *| +/g) ?? []) {
    const hasIdeographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)
    if (!hasIdeographs && font.widthOf(word.trimEnd()) <= width) {
      yield { piece: word, startsLine: false }
      continue
    }
    let startsLine = !hasIdeographs
    for (const piece of word.match(/[^]\p{M}* */gu) ?? []) {
      yield { piece, startsLine }
      startsLine = false
    }
  }
}
