import type { Color } from './content-operators.ts'
import { type FormField, textOf } from './acro-form.ts'
import { isName, PdfDictionary, type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import type { Rectangle } from '../rectangle.ts'
import { plainText } from './plain-text.ts'
import type { Bounds } from './text-layout.ts'

/** What `/MK`, `/BS`, `/Border` and `/DA` say of a widget, in its own upright space, before rotation. */
export interface Look {
  readonly width: number
  readonly height: number
  readonly rotation: 0 | 90 | 180 | 270
  readonly background: Color | undefined
  readonly borderColor: Color | undefined
  /** 0 where no border is drawn. */
  readonly borderWidth: number
  readonly borderStyle: BorderStyle
  readonly dash: readonly number[]
  readonly caption: string
  /** `/MK /I`, the normal icon of a button, which is drawn as it is. */
  readonly icon: PdfStream | null
  /** `/MK /IF`, table 250. */
  readonly iconFit: PdfDictionary
  /** `/MK /TP`, table 192: how caption and icon share the place. */
  readonly textPosition: number
  readonly fontName: string
  /** 0: to fit. */
  readonly fontSize: number
  readonly textColor: Color
}

/** Table 168: solid, dashed, bevelled, inset, underlined. */
export type BorderStyle = 'S' | 'D' | 'B' | 'I' | 'U'

export function lookOf(
  graph: ObjectGraph,
  widget: PdfDictionary,
  field: FormField,
  rectangle: Rectangle,
): Look {
  const mk = dictionaryAt(graph, widget, 'MK')
  const angle = graph.resolve(mk.get('R'))
  const isQuarterTurn = typeof angle === 'number' && Number.isInteger(angle / 90)
  const rotation = quarterTurns[isQuarterTurn ? (((angle / 90) % 4) + 4) % 4 : 0] ?? 0
  const { width, height } = sizeOf(rectangle)
  const isSideways = rotation === 90 || rotation === 270
  const borderColor = colorOf(graph, mk.get('BC'))
  const icon = graph.resolve(mk.get('I'))
  const position = graph.resolve(mk.get('TP'))
  return {
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    rotation,
    background: colorOf(graph, mk.get('BG')),
    borderColor,
    borderWidth: borderColor ? borderWidthOf(graph, widget) : 0,
    ...borderStyleOf(graph, widget),
    caption: plainText(textOf(graph, mk.get('CA')) ?? '').replaceAll('\n', ' '),
    icon: icon instanceof PdfStream ? icon : null,
    iconFit: dictionaryAt(graph, mk, 'IF'),
    textPosition: typeof position === 'number' ? position : 0,
    ...textLookOf(field, isSideways ? width : height),
  }
}

const quarterTurns = [0, 90, 180, 270] as const

export function sizeOf({ left, bottom, right, top }: Rectangle): { width: number; height: number } {
  return { width: right - left, height: top - bottom }
}

/** How far content keeps from the edge because of the border: bevels and insets take its width twice. */
export function borderInset({ borderWidth, borderStyle }: Look): number {
  return borderStyle === 'B' || borderStyle === 'I' ? borderWidth * 2 : borderWidth
}

/** What the border leaves, less a padding on all sides. */
export function contentBounds(look: Look, padding: number): Bounds {
  const inset = borderInset(look) + padding
  return {
    x: inset,
    y: inset,
    width: Math.max(0, look.width - inset * 2),
    height: Math.max(0, look.height - inset * 2),
  }
}

function dictionaryAt(graph: ObjectGraph, holder: PdfDictionary, key: string): PdfDictionary {
  const value = graph.resolve(holder.get(key))
  return value instanceof PdfDictionary ? value : new PdfDictionary()
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

/** 12.5.4: `/BS` goes before `/Border`, whose fourth element is a dash array. */
function borderStyleOf(
  graph: ObjectGraph,
  widget: PdfDictionary,
): { borderStyle: BorderStyle; dash: readonly number[] } {
  const style = graph.resolve(widget.get('BS'))
  if (style instanceof PdfDictionary) {
    const name = graph.resolve(style.get('S'))
    const borderStyle = isName(name) && isBorderStyle(name.value) ? name.value : 'S'
    const dash = dashOf(graph, style.get('D'))
    return { borderStyle, dash: borderStyle === 'D' ? (dash ?? [3]) : [] }
  }
  const border = graph.resolve(widget.get('Border'))
  const dash = Array.isArray(border) ? dashOf(graph, border[3]) : null
  return dash ? { borderStyle: 'D', dash } : { borderStyle: 'S', dash: [] }
}

function isBorderStyle(name: string): name is BorderStyle {
  return name.length === 1 && 'SDBIU'.includes(name)
}

/** 8.4.3.6: lengths that are not all nothing. */
function dashOf(graph: ObjectGraph, object: PdfObject | undefined): number[] | null {
  const list = graph.resolve(object)
  if (!Array.isArray(list) || list.length === 0 || list.length > 16) return null
  const lengths = list.map((item) => graph.resolve(item))
  const isSound = lengths.every((item) => typeof item === 'number' && item >= 0 && item < 1e4)
  if (!isSound || lengths.every((item) => item === 0)) return null
  return lengths.filter((item) => typeof item === 'number')
}

function colorOf(graph: ObjectGraph, components: PdfObject | undefined): Color | undefined {
  const list = graph.resolve(components)
  if (!Array.isArray(list)) return undefined
  const numbers = list.map((item) => graph.resolve(item)).filter((item) => typeof item === 'number')
  return numbers.length === list.length ? colorWith(numbers) : undefined
}

/** 12.7.4.3: operators of text and colour; the last of each counts. */
function textLookOf(
  { type, defaultAppearance }: FormField,
  height: number,
): Pick<Look, 'fontName' | 'fontSize' | 'textColor'> {
  const fontSize = type === 'Btn' ? 0 : usualSize(height)
  const look = { fontName: 'Helv', fontSize, textColor: [0] as Color }
  const operands: string[] = []
  for (const token of defaultAppearance.slice(0, 1000).split(/[\s\0]+|(?=\/)/)) {
    if (/^[-+./\d]/.test(token)) {
      operands.push(token)
      continue
    }
    if (token === 'Tf') {
      look.fontName = nameIn(operands.at(-2)) ?? look.fontName
      const size = Math.abs(Number(operands.at(-1)))
      look.fontSize = size < maxFontSize ? size : 0
    }
    const count = colorOperands[token]
    if (count !== undefined) {
      const color = colorWith(operands.slice(-count).map((text) => Number(text) || 0))
      look.textColor = color ?? look.textColor
    }
    if (token !== '') operands.length = 0
  }
  return look
}

const maxFontSize = 10_000

/** Of a text for which no size is asked, not even one that fits. */
function usualSize(height: number): number {
  return Math.max(4, Math.min(12, Math.floor(height - 4)))
}

/** 7.3.5: `#xx` stands for a byte. */
function nameIn(token: string | undefined): string | undefined {
  return token
    ?.replace(/^\//, '')
    .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const colorOperands: Readonly<Partial<Record<string, number>>> = { g: 1, rg: 3, k: 4 }

/** undefined for a number of components that no colour has. */
function colorWith(components: readonly number[]): Color | undefined {
  const [one, two, three, four] = components.map(inUnit)
  if (one === undefined || components.length > 4) return undefined
  if (two === undefined) return [one]
  if (three === undefined) return undefined
  return four === undefined ? [one, two, three] : [one, two, three, four]
}

function inUnit(component: number): number {
  return Math.min(1, Math.max(0, component))
}
