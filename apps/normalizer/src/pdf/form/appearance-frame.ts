import { borderInset, type Look } from './appearance-look.ts'
import {
  circle,
  type Color,
  dashPattern,
  fillColor,
  filledPolygon,
  filledRectangle,
  isolated,
  line,
  operator,
  strokeColor,
} from './content-operators.ts'

/** Background and border of a widget (ISO 32000-2, 12.5.4 and table 192); nothing where it has neither. */
export function frameOf(look: Look, isRound = false): string[] {
  if (isRound) return roundFrame(look)
  const { width, height, background, borderStyle } = look
  return [
    ...(background ? isolated(filledRectangle(background, [0, 0, width, height])) : []),
    ...(borderStyle === 'B' || borderStyle === 'I' ? relief(look) : []),
    ...border(look),
  ]
}

/** Lines between the cells of a comb, as its border is drawn. */
export function combDividers(look: Look, cellCount: number): string[] {
  const { borderColor, borderWidth, width, height } = look
  if (!borderColor || borderWidth === 0) return []
  const inset = borderInset(look)
  const cellWidth = (width - 2 * inset) / cellCount
  const lines = Array.from({ length: cellCount - 1 }, (_, index) => {
    const x = inset + cellWidth * (index + 1)
    return line([x, 0], [x, height])
  })
  return isolated([strokeColor(borderColor), operator('w', borderWidth), ...lines.flat()])
}

function border(look: Look): string[] {
  const { width, height, borderColor, borderWidth, borderStyle } = look
  if (!borderColor || borderWidth === 0) return []
  const pen = [strokeColor(borderColor), operator('w', borderWidth)]
  if (borderStyle === 'U') {
    return isolated([...pen, ...line([0, borderWidth / 2], [width, borderWidth / 2])])
  }
  const half = borderWidth / 2
  const [across, up] = [width - borderWidth, height - borderWidth].map((side) => Math.max(0, side))
  return isolated([
    ...pen,
    ...dashPattern(look.dash),
    operator('re', half, half, across ?? 0, up ?? 0),
    'S',
  ])
}

/** Light and shadow inside the border: bevelled stands out, inset lies in. */
function relief(look: Look): string[] {
  const { width, height, borderWidth, borderStyle, background } = look
  if (borderWidth === 0) return []
  const isBevelled = borderStyle === 'B'
  const upper: Color = isBevelled ? [1] : [0.5]
  const lower: Color = isBevelled ? halved(background) : [0.75]
  const near = borderWidth
  const far = borderWidth * 2
  const [right, top] = [width - near, height - near]
  const [innerRight, innerTop] = [width - far, height - far]
  if (innerRight <= far || innerTop <= far) return []
  return isolated([
    ...filledPolygon(upper, [
      [near, near],
      [near, top],
      [right, top],
      [innerRight, innerTop],
      [far, innerTop],
      [far, far],
    ]),
    ...filledPolygon(lower, [
      [right, top],
      [right, near],
      [near, near],
      [far, far],
      [innerRight, far],
      [innerRight, innerTop],
    ]),
  ])
}

function halved(color: Color = [1]): Color {
  if (color.length === 4) {
    const [cyan, magenta, yellow, black] = color
    return [cyan, magenta, yellow, (1 + black) / 2]
  }
  if (color.length === 1) return [color[0] / 2]
  return [color[0] / 2, color[1] / 2, color[2] / 2]
}

function roundFrame(look: Look): string[] {
  const { width, height, background, borderColor, borderWidth } = look
  const radius = Math.max(0, Math.min(width, height) - borderWidth) / 2
  const path = circle([width / 2, height / 2], radius)
  const fill = background ? [fillColor(background), ...path, 'f'] : []
  const border =
    borderColor && borderWidth > 0
      ? [
          strokeColor(borderColor),
          operator('w', borderWidth),
          ...dashPattern(look.dash),
          ...path,
          'S',
        ]
      : []
  return fill.length + border.length === 0 ? [] : isolated([...fill, ...border])
}
