import type { FormField } from './acro-form.ts'
import { buttonValue } from './field-value.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { numbersOf, type Rectangle, rectangleOf } from '../rectangle.ts'

/** What an annotation looks like as the file says it. */
export interface NormalAppearance {
  readonly stream: PdfStream
  readonly reference: PdfReference
}

/**
 * The stream of `/AP /N` that shows the widget in its present state (ISO 32000-2, 12.5.5); null if there is none.
 * `present` tells whether the file says what is shown, which may be nothing; if not, it is left to the viewer.
 */
export function normalAppearance(
  graph: ObjectGraph,
  widget: PdfDictionary,
  field: FormField,
): { readonly present: boolean; readonly appearance: NormalAppearance | null } {
  const appearances = graph.resolve(widget.get('AP'))
  if (!(appearances instanceof PdfDictionary)) return { present: false, appearance: null }
  const normal = appearances.get('N')
  const resolved = graph.resolve(normal)
  if (!(resolved instanceof PdfDictionary)) {
    const appearance = streamOf(graph, normal)
    return { present: appearance !== null, appearance }
  }
  if (resolved.size === 0) return { present: false, appearance: null }
  const state = stateOf(graph, widget, field, resolved)
  const appearance = streamOf(graph, resolved.get(state))
  // Off may have none (12.7.5.2.3), and a state that is not the one on state of this button is off to viewers.
  const isLeftOut = appearance === null && state !== 'Off' && !hasOnState(resolved)
  return { present: !isLeftOut, appearance }
}

/** `/AS` selects; where it is missing, the value of the field does if it names a state, and else it is off. */
function stateOf(
  graph: ObjectGraph,
  widget: PdfDictionary,
  field: FormField,
  states: PdfDictionary,
): string {
  const state = graph.resolve(widget.get('AS'))
  if (isName(state)) return state.value
  const value = buttonValue(field)
  if (value === null) return 'Off'
  return states.has(value) || !hasOnState(states) ? value : 'Off'
}

function hasOnState(states: PdfDictionary): boolean {
  return [...states.keys()].some((state) => state !== 'Off')
}

function streamOf(graph: ObjectGraph, object: PdfObject | undefined): NormalAppearance | null {
  const stream = graph.resolve(object)
  return stream instanceof PdfStream && object instanceof PdfReference
    ? { stream, reference: object }
    : null
}

export type Matrix = readonly [number, number, number, number, number, number]

/**
 * The matrix A of ISO 32000-2, 12.5.5, algorithm "appearance streams": it maps the form's bounding box, as its own
 * matrix transforms it, onto the annotation's rectangle. null where viewers draw nothing: no box, or no rectangle.
 */
export function appearanceMatrix(
  graph: ObjectGraph,
  { dictionary }: PdfStream,
  rectangle: Rectangle,
): Matrix | null {
  const box = rectangleOf(graph, dictionary.get('BBox'))
  if (!box) return null
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] =
    numbersOf(graph, dictionary.get('Matrix'), 6) ?? []
  const corners = [
    [box.left, box.bottom],
    [box.right, box.bottom],
    [box.right, box.top],
    [box.left, box.top],
  ] as const
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  const left = Math.min(...xs)
  const bottom = Math.min(...ys)
  const width = Math.max(...xs) - left
  const height = Math.max(...ys) - bottom

  // A box without extent cannot be scaled; viewers only move it.
  const scaleX = width === 0 ? 1 : (rectangle.right - rectangle.left) / width
  const scaleY = height === 0 ? 1 : (rectangle.top - rectangle.bottom) / height
  const matrix: Matrix = [
    scaleX,
    0,
    0,
    scaleY,
    rectangle.left - left * scaleX,
    rectangle.bottom - bottom * scaleY,
  ]
  return matrix.every(Number.isFinite) ? matrix : null
}

/**
 * The same with the rectangle's upper left corner held and everything turned back by the page's rotation: table 167,
 * NoRotate.
 *
 * @param rotation of the page, clockwise, in degrees
 */
export function turnedBack(matrix: Matrix, { left, top }: Rectangle, rotation: number): Matrix {
  const quarters = ((Math.round(rotation / 90) % 4) + 4) % 4
  const cosine = [1, 0, -1, 0][quarters] ?? 1
  const sine = [0, 1, 0, -1][quarters] ?? 0
  const turn = (x: number, y: number): [number, number] => [
    x * cosine - y * sine,
    x * sine + y * cosine,
  ]
  const [a, b, c, d, e, f] = matrix
  const [x, y] = turn(e - left, f - top)
  return [...turn(a, b), ...turn(c, d), x + left, y + top]
}
