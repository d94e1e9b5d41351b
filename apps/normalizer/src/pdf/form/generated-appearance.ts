import { type AcroForm, type FormField, fieldFlags } from './acro-form.ts'
import { type AppearanceFont, AppearanceFonts } from './appearance-font.ts'
import { combDividers, frameOf } from './appearance-frame.ts'
import { borderInset, contentBounds, type Look, lookOf, sizeOf } from './appearance-look.ts'
import {
  type Color,
  fillColor,
  filledRectangle,
  isolated,
  operator,
  transformed,
} from './content-operators.ts'
import { arrange, iconMatrix, sharedFontSize } from './push-button.ts'
import { makeFormXObject } from './form-x-object.ts'
import { chosenText, isOn, optionsOf, selectedIndexes, shownText } from './field-value.ts'
import { PdfDictionary, PdfName, type PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import type { Rectangle } from '../rectangle.ts'
import {
  type Bounds,
  layOutComb,
  layOutLine,
  layOutLines,
  layOutList,
  type PlacedText,
  type Quadding,
} from './text-layout.ts'
import type { TextFont } from './text-font.ts'

export interface GeneratedAppearance {
  /** A form XObject whose `/BBox` has the size of the widget's rectangle. */
  readonly form: PdfReference
  /** Whether every character could be set; others stand as question marks. */
  readonly exact: boolean
}

/** Makes the appearances that a file leaves to the viewer (ISO 32000-2, 12.7.4.3). */
export class AppearanceGenerator {
  readonly #graph: ObjectGraph
  readonly #form: AcroForm | null
  readonly #fonts: AppearanceFonts

  constructor(graph: ObjectGraph, form: AcroForm | null) {
    this.#graph = graph
    this.#form = form
    this.#fonts = new AppearanceFonts(graph)
  }

  /** null when a viewer would show nothing. */
  generate(
    widget: PdfDictionary,
    field: FormField,
    rectangle: Rectangle,
  ): GeneratedAppearance | null {
    const look = lookOf(this.#graph, widget, field, rectangle)
    const drawing = this.#draw(widget, field, look)
    if (drawing.operators.length === 0) return null
    const operators = [...rotated(look.rotation, rectangle), ...drawing.operators]
    return { form: this.#addForm(operators, drawing, rectangle), exact: drawing.exact }
  }

  #draw(widget: PdfDictionary, field: FormField, look: Look): Drawing {
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
          : this.#drawPushButton(look, field)
      default:
        return { operators: [], exact: true }
    }
  }

  #drawText(look: Look, field: FormField, wanted: string): Drawing {
    const isMultiline = field.type === 'Tx' && (field.flags & fieldFlags.multiline) !== 0
    const cells = combCells(field)
    const frame = [...frameOf(look), ...(cells > 0 ? combDividers(look, cells) : [])]
    if (wanted === '') return { operators: frame, exact: true }
    const { font, exact } = this.#fontFor(look, field, wanted)
    const setting = {
      font,
      fontSize: look.fontSize,
      quadding: quaddingOf(field),
      bounds: contentBounds(look, cells > 0 ? 0 : paddingOf(look)),
    }
    const layout =
      cells > 0
        ? layOutComb(wanted, cells, setting)
        : isMultiline
          ? layOutLines(wanted, setting)
          : layOutLine(wanted, setting)
    const text = drawLines(layout.lines, look, layout.fontSize)
    const fonts = fontsOf(layout.lines)
    return { operators: [...frame, ...inside(look, text)], fonts, exact }
  }

  #drawList(look: Look, field: FormField): Drawing {
    const frame = frameOf(look)
    const all = optionsOf(this.#graph, field)
    const options = all.slice(field.topIndex, field.topIndex + maxListOptions)
    if (options.length === 0) return { operators: frame, exact: true }
    const shown = options.map((option) => option.shown.replace(/\s+/g, ' '))
    const { font, exact } = this.#fontFor(look, field, shown.join(''))
    const bounds = contentBounds(look, paddingOf(look))
    const { lines, fontSize, lineHeight, count } = layOutList(shown, {
      font,
      fontSize: look.fontSize,
      quadding: quaddingOf(field),
      bounds,
    })
    const selected = selectedIndexes(this.#graph, field, all)
    const marks = Array.from({ length: count }, (_, index) =>
      selected.has(field.topIndex + index) ? selection(look, bounds, index, lineHeight) : [],
    )
    const text = drawLines(lines, look, fontSize)
    const operators = [...frame, ...inside(look, [...marks.flat(), ...text])]
    return { operators, fonts: fontsOf(lines), exact }
  }

  /** 12.7.5.2.2: caption and icon, arranged as `/TP` says. */
  #drawPushButton(look: Look, field: FormField): Drawing {
    const frame = frameOf(look)
    const shows = { caption: look.textPosition !== 1, icon: look.textPosition !== 0 }
    const caption = shows.caption ? look.caption : ''
    const icon = shows.icon ? look.icon : null
    const places = arrange(look, caption !== '', icon !== null)
    const operators = [...frame]
    const matrix = icon && iconMatrix(this.#graph, icon, look.iconFit, places.icon)
    const drawnIcon = icon && matrix && makeFormXObject(this.#graph, icon, this.#form) ? icon : null
    if (drawnIcon && matrix) {
      operators.push(...inside(look, [transformed(matrix), `/${iconName} Do`]))
    }
    if (caption === '') return { operators, icon: drawnIcon, exact: true }
    const { font, exact } = this.#fontFor(look, field, caption)
    const { lines, fontSize } = layOutLine(caption, {
      font,
      fontSize: look.fontSize || (places.isShared ? sharedFontSize : 0),
      quadding: 1,
      bounds: places.caption,
    })
    operators.push(...inside(look, drawLines(lines, look, fontSize)))
    return { operators, fonts: fontsOf(lines), icon: drawnIcon, exact }
  }

  /** Check boxes and radio buttons: the frame, and the mark of `/MK /CA` (table 192) when they are on. */
  #drawMark(widget: PdfDictionary, look: Look, field: FormField): Drawing {
    const isRadio = (field.flags & fieldFlags.radio) !== 0
    const mark = marks[look.caption.charAt(0)] ?? marks[isRadio ? 'l' : '4'] ?? '\u2714'
    const frame = frameOf(look, isRadio && mark === marks['l'])
    if (!isOn(this.#graph, widget, field)) return { operators: frame, exact: true }

    const font = this.#fonts.standard('ZapfDingbats')
    const room = Math.max(1, Math.min(look.width, look.height) - 2 * look.borderWidth)
    const size = look.fontSize || room * 0.85
    // The marks of ZapfDingbats stand on the baseline and are about 0.7 of the size high.
    const x = (look.width - font.widthOf(mark) * size) / 2
    const y = (look.height - size * 0.7) / 2
    const glyph = drawLines(
      [{ font, codes: font.codeOf(mark)?.toUpperCase() ?? '', x, y }],
      look,
      size,
    )
    return { operators: [...frame, ...glyph], fonts: [font], exact: true }
  }

  #fontFor(look: Look, field: FormField, wanted: string): { font: TextFont; exact: boolean } {
    const letters = wanted.replace(/\s/g, '')
    const resources = [...field.resources, ...(this.#form?.resources ? [this.#form.resources] : [])]
    const font = this.#fonts.forText(look.fontName, resources, letters)
    return { font, exact: font.covers(letters) }
  }

  #addForm(
    operators: readonly string[],
    { fonts = [], icon }: Drawing,
    rectangle: Rectangle,
  ): PdfReference {
    const { width, height } = sizeOf(rectangle)
    const resources = new PdfDictionary()
    if (fonts.length > 0) {
      const named = fonts.map(({ resourceName, reference }) => [resourceName, reference] as const)
      resources.set('Font', new PdfDictionary(named))
    }
    if (icon) resources.set('XObject', new PdfDictionary([[iconName, this.#referenceTo(icon)]]))
    const content = operators.join('\n')
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

  /** A copy of the dictionary over the same data: the original goes away with its widget, or stays for others. */
  #referenceTo(stream: PdfStream): PdfReference {
    return this.#graph.add(new PdfStream(new PdfDictionary(stream.dictionary), stream.data))
  }
}

interface Drawing {
  readonly operators: readonly string[]
  readonly fonts?: readonly AppearanceFont[]
  readonly icon?: PdfStream | null
  readonly exact: boolean
}

const iconName = 'Icon'
const maxListOptions = 1000
/** A comb of more is drawn as plain text. */
const maxCells = 1000
/** What viewers mark a chosen option with. */
const selectionColor: Color = [0.6, 0.757, 0.855]

/** Codes of ZapfDingbats that `/CA` names, and their characters. */
const marks: Readonly<Partial<Record<string, string>>> = {
  '4': '\u2714',
  '8': '\u2718',
  l: '\u25cf',
  n: '\u25a0',
  u: '\u25c6',
  H: '\u2605',
}

/** Table 231: a comb has as many cells as characters are allowed, and is neither multiline nor a password. */
function combCells({ type, flags, maxLength }: FormField): number {
  const excluded = fieldFlags.multiline | fieldFlags.password
  if (type !== 'Tx' || (flags & fieldFlags.comb) === 0 || (flags & excluded) !== 0) return 0
  return maxLength !== null && maxLength > 0 && maxLength <= maxCells ? maxLength : 0
}

function quaddingOf({ quadding }: FormField): Quadding {
  return quadding === 1 || quadding === 2 ? quadding : 0
}

/** Text keeps two units from the edge, and its border's width from a wider border, as viewers have it. */
function paddingOf({ borderWidth }: Look): number {
  return Math.max(2 - borderWidth, borderWidth)
}

function fontsOf(lines: readonly PlacedText[]): AppearanceFont[] {
  return [...new Set(lines.map(({ font }) => font))]
}

/** Text in runs that stand anywhere; the font is named where it changes. */
function drawLines(lines: readonly PlacedText[], look: Look, fontSize: number): string[] {
  const shown = lines.flatMap(({ font, codes, x, y }, index) => [
    ...(font === lines[index - 1]?.font
      ? []
      : [`/${font.resourceName} ${operator('Tf', fontSize)}`]),
    operator('Tm', 1, 0, 0, 1, x, y),
    `<${codes}> Tj`,
  ])
  return isolated(['BT', fillColor(look.textColor), ...shown, 'ET'])
}

/** What is drawn does not come over the border. */
function inside(look: Look, operators: readonly string[]): string[] {
  const { x, y, width, height } = contentBounds(look, 0)
  return isolated([operator('re', x, y, width, height), 'W', 'n', ...operators])
}

function selection(look: Look, bounds: Bounds, index: number, lineHeight: number): string[] {
  const inset = borderInset(look)
  const bottom = bounds.y + bounds.height - lineHeight * (index + 1)
  return filledRectangle(selectionColor, [inset, bottom, look.width - inset * 2, lineHeight])
}

/** Table 192, `/R`: counterclockwise, in the same rectangle. */
function rotated(rotation: Look['rotation'], rectangle: Rectangle): string[] {
  const { width, height } = sizeOf(rectangle)
  switch (rotation) {
    case 90:
      return [transformed([0, 1, -1, 0, width, 0])]
    case 180:
      return [transformed([-1, 0, 0, -1, width, height])]
    case 270:
      return [transformed([0, -1, 1, 0, 0, height])]
    default:
      return []
  }
}
