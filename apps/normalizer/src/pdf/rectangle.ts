import type { PdfObject } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'

/** ISO 32000-2, 7.9.5, with its corners in order; in units of the space that it is given in. */
export interface Rectangle {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** null for anything but four finite numbers. */
export function rectangleOf(
  graph: Pick<ObjectGraph, 'resolve'>,
  object: PdfObject | undefined,
): Rectangle | null {
  const numbers = numbersOf(graph, object, 4)
  if (!numbers) return null
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers
  return {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  }
}

/** An array of exactly so many finite numbers; null for anything else. */
export function numbersOf(
  graph: Pick<ObjectGraph, 'resolve'>,
  object: PdfObject | undefined,
  count: number,
): number[] | null {
  const array = graph.resolve(object)
  if (!Array.isArray(array) || array.length < count) return null
  const numbers = array.slice(0, count).map((item) => graph.resolve(item))
  const finite = numbers.filter((item) => typeof item === 'number' && Number.isFinite(item))
  return finite.length === count ? (finite as number[]) : null
}
