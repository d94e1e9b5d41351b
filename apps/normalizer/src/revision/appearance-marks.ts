import type { ContentBudget } from '../pdf/content/content-budget.ts'
import { type PageMark, pageMarks } from '../pdf/content/page-marks.ts'
import { appearanceMatrix } from '../pdf/form/normal-appearance.ts'
import { isName, PdfDictionary, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { rectangleOf } from '../pdf/rectangle.ts'

/**
 * What the normal appearance of an annotation paints, in the space of its page: as a page that holds nothing else.
 * null where the annotation has none.
 */
export function appearanceMarks(
  graph: ObjectGraph,
  annotation: PdfDictionary,
  budget: ContentBudget,
): PageMark[] | null {
  const appearance = normalAppearance(graph, annotation)
  if (appearance === null) return null
  const rectangle = rectangleOf(graph, annotation.get('Rect'))
  const matrix = rectangle && appearanceMatrix(graph, appearance, rectangle)
  if (rectangle === null || matrix === null) return []
  const { left, bottom, right, top } = rectangle
  const content = Buffer.from(`${matrix.join(' ')} cm /Appearance Do`)
  const page = new PdfDictionary()
  page.set('MediaBox', [left, bottom, right, top])
  page.set('Contents', new PdfStream(new PdfDictionary(), content))
  page.set('Resources', nested('XObject', nested('Appearance', appearance)))
  return pageMarks(graph, { dictionary: page, reference: null, ancestors: [] }, budget)
}

function nested(key: string, value: PdfDictionary | PdfStream): PdfDictionary {
  const dictionary = new PdfDictionary()
  dictionary.set(key, value)
  return dictionary
}

/** The stream of `/AP /N` in the annotation's present state (12.5.5). */
export function normalAppearance(graph: ObjectGraph, annotation: PdfDictionary): PdfStream | null {
  const appearances = graph.resolve(annotation.get('AP'))
  const normal = appearances instanceof PdfDictionary ? graph.resolve(appearances.get('N')) : null
  if (normal instanceof PdfStream) return normal
  if (!(normal instanceof PdfDictionary)) return null
  const state = graph.resolve(annotation.get('AS'))
  const stream = isName(state) ? graph.resolve(normal.get(state.value)) : null
  return stream instanceof PdfStream ? stream : null
}
