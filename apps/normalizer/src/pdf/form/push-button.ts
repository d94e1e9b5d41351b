import { contentBounds, type Look } from './appearance-look.ts'
import { type PdfDictionary, PdfName, type PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { numbersOf } from '../rectangle.ts'
import { appearanceMatrix, type Matrix } from './normal-appearance.ts'
import type { Bounds } from './text-layout.ts'

/** Size of a caption that is to fit beside an icon. */
export const sharedFontSize = 12

/** Table 192, `/TP`: 2 caption below, 3 above, 4 to the right, 5 to the left of the icon, 6 over it. */
export function arrange(
  look: Look,
  hasCaption: boolean,
  hasIcon: boolean,
): { caption: Bounds; icon: Bounds; isShared: boolean } {
  const all = contentBounds(look, 0)
  const isShared = hasCaption && hasIcon && look.textPosition >= 2 && look.textPosition <= 5
  if (!isShared) return { caption: all, icon: all, isShared }
  const { x, y, width, height } = all
  if (look.textPosition <= 3) {
    const line = Math.min(height / 2, (look.fontSize || sharedFontSize) * 1.2)
    const upper = (share: number): Bounds => ({ x, y: y + height - share, width, height: share })
    const lower = (share: number): Bounds => ({ x, y, width, height: share })
    return look.textPosition === 2
      ? { caption: lower(line), icon: upper(height - line), isShared }
      : { caption: upper(line), icon: lower(height - line), isShared }
  }
  const left = { x, y, width: width / 2, height }
  const right = { ...left, x: x + width / 2 }
  return look.textPosition === 4
    ? { caption: right, icon: left, isShared }
    : { caption: left, icon: right, isShared }
}

/**
 * The matrix that fits a button's icon into its place as `/IF` says (ISO 32000-2, table 250): by default in proportion
 * and in the middle. null for an icon without a box.
 */
export function iconMatrix(
  graph: ObjectGraph,
  icon: PdfStream,
  fit: PdfDictionary,
  place: Bounds,
): Matrix | null {
  const natural = appearanceMatrix(graph, icon, { left: 0, bottom: 0, right: 1, top: 1 })
  if (!natural) return null
  // That matrix maps the icon's box onto a unit square: its inverse scale is the size of the box.
  const [width, height] = [1 / natural[0], 1 / natural[3]]
  if (!(width > 0) || !(height > 0)) return null

  const when = nameAt(graph, fit, 'SW') ?? 'A'
  const isLarger = width > place.width || height > place.height
  const isScaled = when === 'A' || (when === 'B' && isLarger) || (when === 'S' && !isLarger)
  let [scaleX, scaleY] = isScaled ? [place.width / width, place.height / height] : [1, 1]
  if (nameAt(graph, fit, 'S') !== 'A') scaleX = scaleY = Math.min(scaleX, scaleY)

  const [alongX = 0.5, alongY = 0.5] = numbersOf(graph, fit.get('A'), 2) ?? []
  const x = place.x + (place.width - width * scaleX) * alongX
  const y = place.y + (place.height - height * scaleY) * alongY
  const matrix: Matrix = [
    scaleX,
    0,
    0,
    scaleY,
    x + natural[4] * width * scaleX,
    y + natural[5] * height * scaleY,
  ]
  return matrix.every(Number.isFinite) ? matrix : null
}

function nameAt(graph: ObjectGraph, dictionary: PdfDictionary, key: string): string | null {
  const name = graph.resolve(dictionary.get(key))
  return name instanceof PdfName ? name.value : null
}
