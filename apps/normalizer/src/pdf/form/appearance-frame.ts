import {
  type Color,
  closePath,
  ColorTypes,
  degrees,
  drawEllipse,
  drawRectangle,
  fill,
  grayscale,
  lineTo,
  moveTo,
  type PDFOperator,
  popGraphicsState,
  pushGraphicsState,
  setFillingColor,
  setLineWidth,
  setStrokingColor,
  stroke,
} from 'pdf-lib'
import { borderInset, type Look } from './appearance-look.ts'

/** Background and border of a widget (ISO 32000-2, 12.5.4 and table 192); nothing where it has neither. */
export function frameOf(look: Look, isRound = false): PDFOperator[] {
  if (isRound) return roundFrame(look)
  const { width, height, background, borderStyle } = look
  return [
    ...(background ? rectangle(0, 0, width, height, { color: background }) : []),
    ...(borderStyle === 'B' || borderStyle === 'I' ? relief(look) : []),
    ...border(look),
  ]
}

/** Lines between the cells of a comb, as its border is drawn. */
export function combDividers(look: Look, cellCount: number): PDFOperator[] {
  const { borderColor, borderWidth, width, height } = look
  if (!borderColor || borderWidth === 0) return []
  const inset = borderInset(look)
  const cellWidth = (width - 2 * inset) / cellCount
  const lines = Array.from({ length: cellCount - 1 }, (_, index) => {
    const x = inset + cellWidth * (index + 1)
    return [moveTo(x, 0), lineTo(x, height), stroke()]
  })
  return painted([setStrokingColor(borderColor), setLineWidth(borderWidth), ...lines.flat()])
}

function border(look: Look): PDFOperator[] {
  const { width, height, borderColor, borderWidth, borderStyle } = look
  if (!borderColor || borderWidth === 0) return []
  if (borderStyle === 'U') {
    return painted([
      setStrokingColor(borderColor),
      setLineWidth(borderWidth),
      moveTo(0, borderWidth / 2),
      lineTo(width, borderWidth / 2),
      stroke(),
    ])
  }
  const half = borderWidth / 2
  return rectangle(half, half, width - borderWidth, height - borderWidth, {
    borderColor,
    borderWidth,
    borderDashArray: [...look.dash],
  })
}

/** Light and shadow inside the border: bevelled stands out, inset lies in. */
function relief(look: Look): PDFOperator[] {
  const { width, height, borderWidth, borderStyle, background } = look
  if (borderWidth === 0) return []
  const isBevelled = borderStyle === 'B'
  const upper = isBevelled ? grayscale(1) : grayscale(0.5)
  const lower = isBevelled ? halved(background) : grayscale(0.75)
  const near = borderWidth
  const far = borderWidth * 2
  const [right, top] = [width - near, height - near]
  const [innerRight, innerTop] = [width - far, height - far]
  if (innerRight <= far || innerTop <= far) return []
  return painted([
    ...polygon(upper, [
      [near, near],
      [near, top],
      [right, top],
      [innerRight, innerTop],
      [far, innerTop],
      [far, far],
    ]),
    ...polygon(lower, [
      [right, top],
      [right, near],
      [near, near],
      [far, far],
      [innerRight, far],
      [innerRight, innerTop],
    ]),
  ])
}

function halved(color: Color | undefined): Color {
  if (color?.type === ColorTypes.RGB) {
    return { ...color, red: color.red / 2, green: color.green / 2, blue: color.blue / 2 }
  }
  if (color?.type === ColorTypes.CMYK) return { ...color, key: (1 + color.key) / 2 }
  return grayscale(color ? color.gray / 2 : 0.5)
}

function polygon(color: Color, points: readonly (readonly [number, number])[]): PDFOperator[] {
  const path = points.map(([x, y], index) => (index === 0 ? moveTo(x, y) : lineTo(x, y)))
  return [setFillingColor(color), ...path, closePath(), fill()]
}

function roundFrame(look: Look): PDFOperator[] {
  const { width, height, background, borderColor, borderWidth } = look
  if (!background && (!borderColor || borderWidth === 0)) return []
  const radius = Math.max(0, Math.min(width, height) - borderWidth) / 2
  return drawEllipse({
    x: width / 2,
    y: height / 2,
    xScale: radius,
    yScale: radius,
    color: background,
    borderColor,
    borderWidth,
    borderDashArray: [...look.dash],
  })
}

function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  ink: { color?: Color; borderColor?: Color; borderWidth?: number; borderDashArray?: number[] },
): PDFOperator[] {
  const none = degrees(0)
  return drawRectangle({
    x,
    y,
    width: Math.max(0, width),
    height: Math.max(0, height),
    rotate: none,
    xSkew: none,
    ySkew: none,
    borderWidth: ink.borderWidth ?? 0,
    color: ink.color,
    borderColor: ink.borderColor,
    borderDashArray: ink.borderDashArray ?? [],
  })
}

function painted(operators: readonly PDFOperator[]): PDFOperator[] {
  return [pushGraphicsState(), ...operators, popGraphicsState()]
}
