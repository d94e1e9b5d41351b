import {
  type Color,
  componentsToColor,
  drawButton,
  drawEllipse,
  drawOptionList,
  drawRectangle,
  drawTextField,
  drawTextLines,
  degrees,
  grayscale,
  layoutCombedText,
  layoutMultilineText,
  layoutSinglelineText,
  PDFDocument,
  type PDFFont,
  type PDFOperator,
  reduceRotation,
  rotateInPlace,
  StandardFonts,
  TextAlignment,
  type TextPosition,
} from 'pdf-lib'
import { type AcroForm, type FormField, fieldFlags, textOf } from './acro-form.ts'
import { type AppearanceFont, AppearanceFonts } from './appearance-font.ts'
import { PdfDictionary, PdfName, type PdfObject, type PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import type { Rectangle } from '../rectangle.ts'

export interface GeneratedAppearance {
  /** A form XObject whose `/BBox` has the size of the widget's rectangle. */
  readonly form: PdfReference
  /** Whether every character could be set; others stand as question marks. */
  readonly exact: boolean
}

/**
 * Makes the appearances that a file leaves to the viewer (ISO 32000-2, 12.7.4.3). pdf-lib lays the text out and
 * draws; nothing of the document is given to it but values that were checked here.
 */
export class AppearanceGenerator {
  readonly #graph: ObjectGraph
  readonly #form: AcroForm | null
  #fonts: AppearanceFonts | null = null

  constructor(graph: ObjectGraph, form: AcroForm | null) {
    this.#graph = graph
    this.#form = form
  }

  /** null when a viewer would show nothing. */
  async generate(
    widget: PdfDictionary,
    field: FormField,
    rectangle: Rectangle,
  ): Promise<GeneratedAppearance | null> {
    const look = lookOf(this.#graph, widget, field, rectangle)
    const drawing = await this.#draw(widget, field, look)
    if (!drawing) return null
    const operators = [
      ...rotateInPlace({ ...sizeOf(rectangle), rotation: look.rotation }),
      ...drawing.operators,
    ]
    return { form: this.#addForm(operators, drawing.font, rectangle), exact: drawing.exact }
  }

  async #draw(widget: PdfDictionary, field: FormField, look: Look): Promise<Drawing | null> {
    switch (field.type) {
      case 'Tx':
        return this.#drawText(look, field, shownText(this.#graph, field))
      case 'Ch':
        return (field.flags & fieldFlags.combo) === 0
          ? this.#drawList(look, field)
          : this.#drawText(look, field, chosenText(this.#graph, field))
      case 'Btn':
        return (field.flags & fieldFlags.pushButton) === 0
          ? this.#drawMark(widget, look, field)
          : this.#drawCaption(look)
      default:
        return null
    }
  }

  async #drawText(look: Look, field: FormField, wanted: string): Promise<Drawing | null> {
    if (wanted === '') return frameOf(look)
    const { font, text, exact } = await this.#fontFor(look, wanted)
    const cells = field.maxLength ?? 0
    const isComb = (field.flags & fieldFlags.comb) !== 0 && cells > 0 && cells <= maxCells
    const padding = isComb ? 0 : paddingOf(look)
    const { lines, fontSize } = layOut(look, field, font, text, isComb, padding)
    const operators = drawTextField({
      ...boxOf(look),
      ...inkOf(look, font, fontSize),
      textLines: lines,
      padding,
    })
    return { operators, font, exact }
  }

  async #drawList(look: Look, field: FormField): Promise<Drawing | null> {
    const options = optionsOf(this.#graph, field).slice(
      field.topIndex,
      field.topIndex + maxListOptions,
    )
    if (options.length === 0) return frameOf(look)
    const wanted = options.map(({ shown }) => shown.replace(/\s+/g, ' ')).join('\n')
    const { font, text, exact } = await this.#fontFor(look, wanted)
    const padding = paddingOf(look)
    const wantedSize = look.fontSize || defaultFontSize
    const bounds = boundsOf(look, padding)
    const { lines, fontSize, lineHeight } = layoutMultilineText(text, {
      alignment: alignmentOf(field),
      fontSize: wantedSize,
      font: font.measured,
      // pdf-lib leads above the first line, too; viewers begin at the top.
      bounds: { ...bounds, height: bounds.height + 0.2 * font.measured.heightAtSize(wantedSize) },
    })
    const selected = selectedValues(this.#graph, field)
    const selectedTexts = new Set(
      options
        .filter(({ value, shown }) => selected.has(value) || selected.has(shown))
        .map(({ shown }) => shown.replace(/\s+/g, ' ')),
    )
    const selectedLines = [...lines.keys()].filter((index) =>
      selectedTexts.has(lines[index]?.text ?? ''),
    )
    const operators = drawOptionList({
      ...boxOf(look),
      ...inkOf(look, font, fontSize),
      textLines: lines,
      lineHeight,
      selectedLines,
      selectedColor: selectionColor,
      padding,
    })
    return { operators, font, exact }
  }

  async #drawCaption(look: Look): Promise<Drawing | null> {
    if (look.caption === '') return frameOf(look)
    const { font, text, exact } = await this.#fontFor(look, look.caption)
    const bounds = boundsOf(look, 0)
    const { measured } = font
    const fontSize =
      look.fontSize || fittingSize(measured, measured.widthOfTextAtSize(text, 1), bounds)
    const { line } = layoutSinglelineText(text, {
      alignment: TextAlignment.Center,
      fontSize,
      font: measured,
      bounds,
    })
    const operators = drawButton({
      ...boxOf(look),
      ...inkOf(look, font, fontSize),
      textLines: [line],
    })
    return { operators, font, exact }
  }

  /** Check boxes and radio buttons: the frame, and the mark of `/MK /CA` (table 192) when they are on. */
  async #drawMark(widget: PdfDictionary, look: Look, field: FormField): Promise<Drawing | null> {
    const isRadio = (field.flags & fieldFlags.radio) !== 0
    const mark = marks[look.caption.charAt(0)] ?? marks[isRadio ? 'l' : '4'] ?? '\u2714'
    const isRound = isRadio && mark === marks['l']
    const frame = frameOf(look, isRound)
    if (!isOn(this.#graph, widget, field)) return frame

    const font = await this.#fontsOfDocument().then((fonts) =>
      fonts.standard(StandardFonts.ZapfDingbats),
    )
    const size =
      look.fontSize || Math.max(1, Math.min(look.width, look.height) - 2 * look.borderWidth) * 0.85
    const { measured } = font
    const width = measured.widthOfTextAtSize(mark, size)
    // The marks of ZapfDingbats stand on the baseline and are about 0.7 of the size high.
    const glyph = drawTextLines(
      [
        {
          encoded: measured.encodeText(mark),
          x: (look.width - width) / 2,
          y: (look.height - size * 0.7) / 2,
        },
      ],
      {
        color: look.textColor,
        font: font.resourceName,
        size,
        rotate: degrees(0),
        xSkew: degrees(0),
        ySkew: degrees(0),
      },
    )
    return { operators: [...(frame?.operators ?? []), ...glyph], font, exact: true }
  }

  async #fontFor(
    look: Look,
    wanted: string,
  ): Promise<{ font: AppearanceFont; text: string; exact: boolean }> {
    const fonts = await this.#fontsOfDocument()
    const named = await fonts.named(look.fontName)
    const letters = wanted.replace(/\s/g, '')
    if (named.encodes(letters)) return { font: named, text: wanted, exact: true }
    const font = await fonts.standard(StandardFonts.Helvetica)
    const text = Array.from(wanted, (char) =>
      /\s/.test(char) || font.encodes(char) ? char : '?',
    ).join('')
    return { font, text, exact: text === wanted }
  }

  async #fontsOfDocument(): Promise<AppearanceFonts> {
    if (this.#fonts) return this.#fonts
    const document = await PDFDocument.create({ updateMetadata: false })
    this.#fonts = new AppearanceFonts(this.#graph, document, this.#form?.resources ?? null)
    return this.#fonts
  }

  #addForm(
    operators: readonly PDFOperator[],
    font: AppearanceFont | null,
    rectangle: Rectangle,
  ): PdfReference {
    const { width, height } = sizeOf(rectangle)
    const resources = new PdfDictionary()
    if (font) resources.set('Font', new PdfDictionary([[font.resourceName, font.reference]]))
    const content = endedPaths(operators.map(String)).join('\n')
    return this.#graph.add(
      new PdfStream(
        new PdfDictionary([
          ['Type', new PdfName('XObject')],
          ['Subtype', new PdfName('Form')],
          ['BBox', [0, 0, width, height]],
          ['Resources', resources],
        ]),
        Buffer.from(`${content}\n`, 'latin1'),
      ),
    )
  }
}

/**
 * pdf-lib closes a rectangle that has neither colour nor border a second time instead of ending its path, and what
 * is filled or clipped next would take it along.
 */
function endedPaths(operators: readonly string[]): string[] {
  return operators.map((operator, index) =>
    operator === 'h' && operators[index - 1] === 'h' ? 'n' : operator,
  )
}

interface Drawing {
  readonly operators: PDFOperator[]
  readonly font: AppearanceFont | null
  readonly exact: boolean
}

/** What `/MK`, `/BS`, `/Border` and `/DA` say, before rotation. */
interface Look {
  readonly width: number
  readonly height: number
  readonly rotation: 0 | 90 | 180 | 270
  readonly background: Color | undefined
  readonly borderColor: Color | undefined
  readonly borderWidth: number
  readonly caption: string
  readonly fontName: string
  /** 0: to fit. */
  readonly fontSize: number
  readonly textColor: Color
}

const defaultFontSize = 12
/** Longer values would be cut off by any rectangle. */
const maxTextLength = 20_000
const maxListOptions = 1000
/** A comb of more is drawn as plain text. */
const maxCells = 1000
/** What viewers mark a chosen option with. */
const selectionColor = componentsToColor([0.6, 0.757, 0.855]) ?? grayscale(0.8)

/** Codes of ZapfDingbats that `/CA` names, and their characters. */
const marks: Readonly<Partial<Record<string, string>>> = {
  '4': '\u2714',
  '8': '\u2718',
  l: '\u25cf',
  n: '\u25a0',
  u: '\u25c6',
  H: '\u2605',
}

function lookOf(
  graph: ObjectGraph,
  widget: PdfDictionary,
  field: FormField,
  rectangle: Rectangle,
): Look {
  const characteristics = graph.resolve(widget.get('MK'))
  const mk = characteristics instanceof PdfDictionary ? characteristics : new PdfDictionary()
  const angle = graph.resolve(mk.get('R'))
  const isQuarterTurn = typeof angle === 'number' && Number.isInteger(angle / 90)
  const rotation = reduceRotation(isQuarterTurn ? angle : 0)
  const { width, height } = sizeOf(rectangle)
  const isSideways = rotation === 90 || rotation === 270
  const borderColor = colorOf(graph, mk.get('BC'))
  return {
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    rotation,
    background: colorOf(graph, mk.get('BG')),
    borderColor,
    borderWidth: borderColor ? borderWidthOf(graph, widget) : 0,
    caption: plainText(textOf(graph, mk.get('CA')) ?? '').replaceAll('\n', ' '),
    ...textLookOf(field.defaultAppearance),
  }
}

function sizeOf({ left, bottom, right, top }: Rectangle): { width: number; height: number } {
  return { width: right - left, height: top - bottom }
}

/** 12.5.4: 1 unless said otherwise. */
function borderWidthOf(graph: ObjectGraph, widget: PdfDictionary): number {
  const style = graph.resolve(widget.get('BS'))
  const border = graph.resolve(widget.get('Border'))
  const width =
    style instanceof PdfDictionary
      ? graph.resolve(style.get('W'))
      : Array.isArray(border)
        ? graph.resolve(border[2])
        : null
  return typeof width === 'number' && width >= 0 ? width : 1
}

function colorOf(graph: ObjectGraph, components: PdfObject | undefined): Color | undefined {
  const list = graph.resolve(components)
  if (!Array.isArray(list)) return undefined
  const numbers = list.map((item) => graph.resolve(item)).filter((item) => typeof item === 'number')
  return numbers.length === list.length ? componentsToColor(numbers.map(inUnit)) : undefined
}

/** 12.7.4.3: operators of text and colour; the last of each counts. */
function textLookOf(defaultAppearance: string): Pick<Look, 'fontName' | 'fontSize' | 'textColor'> {
  const look = { fontName: 'Helv', fontSize: 0, textColor: grayscale(0) as Color }
  const operands: string[] = []
  for (const token of defaultAppearance.slice(0, 1000).split(/[\s\0]+|(?=\/)/)) {
    if (/^[-+./\d]/.test(token)) {
      operands.push(token)
      continue
    }
    if (token === 'Tf') {
      look.fontName = operands.at(-2)?.replace(/^\//, '') ?? look.fontName
      look.fontSize = Math.abs(Number(operands.at(-1))) || 0
    }
    const count = colorOperands[token]
    if (count !== undefined) {
      const color = componentsToColor(
        operands.slice(-count).map((text) => inUnit(Number(text) || 0)),
      )
      look.textColor = color ?? look.textColor
    }
    if (token !== '') operands.length = 0
  }
  return look
}

const colorOperands: Readonly<Partial<Record<string, number>>> = { g: 1, rg: 3, k: 4 }

function inUnit(component: number): number {
  return Math.min(1, Math.max(0, component))
}

function boxOf({ width, height, borderWidth, borderColor, background }: Look) {
  return {
    x: borderWidth / 2,
    y: borderWidth / 2,
    width: Math.max(0, width - borderWidth),
    height: Math.max(0, height - borderWidth),
    borderWidth,
    borderColor,
    color: background,
  }
}

function inkOf({ textColor }: Look, font: AppearanceFont, fontSize: number) {
  return { textColor, font: font.resourceName, fontSize }
}

/** Text keeps two units from the edge, and its border's width from a wider border, as viewers have it. */
function paddingOf({ borderWidth }: Look): number {
  return Math.max(2 - borderWidth, borderWidth)
}

function boundsOf({ width, height, borderWidth }: Look, padding: number) {
  const inset = borderWidth + padding
  return {
    x: inset,
    y: inset,
    width: Math.max(0, width - inset * 2),
    height: Math.max(0, height - inset * 2),
  }
}

function frameOf(look: Look, isRound = false): Drawing | null {
  const { background, borderColor, borderWidth } = look
  if (!background && (!borderColor || borderWidth === 0)) return null
  const { x, y, width, height } = boxOf(look)
  const ink = { color: background, borderColor, borderWidth }
  const none = degrees(0)
  const radius = Math.min(width, height) / 2
  const operators = isRound
    ? drawEllipse({ x: look.width / 2, y: look.height / 2, xScale: radius, yScale: radius, ...ink })
    : drawRectangle({ x, y, width, height, rotate: none, xSkew: none, ySkew: none, ...ink })
  return { operators, font: null, exact: true }
}

function layOut(
  look: Look,
  field: FormField,
  { measured: font }: AppearanceFont,
  text: string,
  isComb: boolean,
  padding: number,
): { lines: TextPosition[]; fontSize: number } {
  const bounds = boundsOf(look, padding)
  const alignment = alignmentOf(field)
  if ((field.flags & fieldFlags.multiline) !== 0) {
    const usual = layoutMultilineText(text, {
      alignment,
      fontSize: look.fontSize || defaultFontSize,
      font,
      bounds,
    })
    // To fit means down from the usual size, not up to a single word across the box.
    const lowest = usual.lines.at(-1)?.y ?? bounds.y
    if (look.fontSize !== 0 || lowest >= bounds.y) return usual
    return layoutMultilineText(text, { alignment, fontSize: 0, font, bounds })
  }
  if (isComb) {
    const cellCount = field.maxLength ?? 0
    const shown = text.replace(/\s/g, ' ').slice(0, cellCount)
    const widest = Math.max(...Array.from(shown, (char) => font.widthOfTextAtSize(char, 1)))
    const fontSize = look.fontSize || fittingSize(font, widest * cellCount, bounds)
    const { cells } = layoutCombedText(shown, { fontSize, font, bounds, cellCount })
    return { lines: cells, fontSize }
  }
  const oneLine = text.replaceAll('\n', ' ')
  const fontSize = look.fontSize || fittingSize(font, font.widthOfTextAtSize(oneLine, 1), bounds)
  const { line } = layoutSinglelineText(oneLine, { alignment, fontSize, font, bounds })
  return { lines: [line], fontSize }
}

/** The largest whole size at which one line fits; pdf-lib would try each one in turn. */
function fittingSize(
  font: PDFFont,
  widthAtOne: number,
  { width, height }: { width: number; height: number },
): number {
  const size = Math.min(width / widthAtOne, height / font.heightAtSize(1))
  return Math.max(4, Math.min(500, Math.floor(size)))
}

function alignmentOf({ quadding }: FormField): TextAlignment {
  if (quadding === 1) return TextAlignment.Center
  return quadding === 2 ? TextAlignment.Right : TextAlignment.Left
}

function shownText(graph: ObjectGraph, field: FormField): string {
  const text = plainText(textOf(graph, field.value) ?? '')
  // Table 231: a password is shown as characters that do not tell it.
  return (field.flags & fieldFlags.password) === 0 ? text : '*'.repeat(text.length)
}

/** Lines end in one way, other white space is a space, and control characters (Cc of Unicode) have no glyphs. */
function plainText(text: string): string {
  return text
    .slice(0, maxTextLength)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]/g, ' ')
    .replace(/(?!\n)\p{Cc}/gu, '')
}

interface Option {
  readonly value: string
  readonly shown: string
}

/** 12.7.5.4: each is a text or a pair of value and text. */
function optionsOf(graph: ObjectGraph, { options }: FormField): Option[] {
  if (!Array.isArray(options)) return []
  return options.map((entry) => {
    const option = graph.resolve(entry)
    const [value, shown] = Array.isArray(option) ? option : [option, option]
    const text = plainText(textOf(graph, shown ?? value) ?? '')
    return { value: textOf(graph, value) ?? text, shown: text }
  })
}

function selectedValues(graph: ObjectGraph, { value }: FormField): Set<string> {
  const values = Array.isArray(value) ? value : [value]
  return new Set(values.map((item) => textOf(graph, item)).filter((text) => text !== null))
}

function chosenText(graph: ObjectGraph, field: FormField): string {
  const [chosen] = selectedValues(graph, field)
  if (chosen === undefined) return ''
  return optionsOf(graph, field).find(({ value }) => value === chosen)?.shown ?? plainText(chosen)
}

/** 12.7.5.2.3: `/AS` says it; without one the value of the field does. */
function isOn(graph: ObjectGraph, widget: PdfDictionary, { value }: FormField): boolean {
  const state = graph.resolve(widget.get('AS'))
  const name = state instanceof PdfName ? state : value
  return name instanceof PdfName && name.value !== 'Off'
}
