import type { ContentBudget } from '../pdf/content/content-budget.ts'
import { pageMarks } from '../pdf/content/page-marks.ts'
import { type PdfDictionary, PdfName } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { type Rectangle, rectangleOf } from '../pdf/rectangle.ts'
import { appearanceMarks } from './appearance-marks.ts'
import type { ChangedAnnotation, ComparedDocuments } from './compared-documents.ts'
import { isHidden } from './page-annotations.ts'

/** Annotations that are looked at; each may hold as much content as a page. */
const maxAnnotations = 500

export interface CoveringChange {
  readonly how: 'placed' | 'removed'
  readonly annotation: ChangedAnnotation
}

/**
 * The annotations that an update laid over text which was there at the time of signing, or took away from over it: the
 * certification attacks (evil annotation, sneaky signature). Permissions to annotate and to sign do not extend to that.
 */
export function coveringChanges(documents: ComparedDocuments): CoveringChange[] {
  const { before, after } = documents
  const text = new SignedText(documents)
  return documents.annotations.slice(0, maxAnnotations).flatMap((annotation): CoveringChange[] => {
    const { earlier, later } = annotation
    if (later !== null && text.isCovered(after, later, annotation))
      return [{ how: 'placed', annotation }]
    const uncovers = earlier !== null && text.isCovered(before, earlier, annotation)
    return uncovers ? [{ how: 'removed', annotation }] : []
  })
}

/** The text of the earlier document's pages, by where it stands. */
class SignedText {
  readonly #documents: ComparedDocuments
  readonly #boxes = new Map<number, Rectangle[]>()

  constructor(documents: ComparedDocuments) {
    this.#documents = documents
  }

  isCovered(
    graph: ObjectGraph,
    dictionary: PdfDictionary,
    { pageIndex, isSignature }: ChangedAnnotation,
  ): boolean {
    const covers = coveringBoxes(graph, dictionary, isSignature, this.#documents.contentBudget)
    if (covers.length === 0) return false
    return this.#boxesOf(pageIndex).some((text) =>
      covers.some((cover) => hidesCharacter(cover, text)),
    )
  }

  #boxesOf(pageIndex: number): Rectangle[] {
    const { before, earlierPages } = this.#documents
    const page = earlierPages[pageIndex]
    if (page === undefined) return []
    const known = this.#boxes.get(pageIndex)
    if (known !== undefined) return known
    const boxes = pageMarks(before, page, this.#documents.contentBudget)
      .filter(({ kind, visible }) => kind === 'text' && visible)
      .map(({ box }) => box)
    this.#boxes.set(pageIndex, boxes)
    return boxes
  }
}

/** Annotations that put content of their own over the page (ISO 32000-2, 12.5.6). */
const covering: ReadonlySet<string> = new Set(['FreeText', 'Stamp', 'Redact', 'Watermark'])
/** Those that do so when they are filled, or drawn with a broad line. */
const drawing: ReadonlySet<string> = new Set([
  'Square',
  'Circle',
  'Line',
  'Ink',
  'Polygon',
  'PolyLine',
])

/** Where an annotation hides what is under it. */
function coveringBoxes(
  graph: ObjectGraph,
  dictionary: PdfDictionary,
  isSignature: boolean,
  budget: ContentBudget,
): Rectangle[] {
  const rectangle = rectangleOf(graph, dictionary.get('Rect'))
  if (rectangle === null || isHidden(graph, dictionary)) return []
  const subtype = graph.resolve(dictionary.get('Subtype'))
  const type = subtype instanceof PdfName ? subtype.value : ''
  if (!isSignature && covering.has(type)) return [rectangle]

  const marks = appearanceMarks(graph, dictionary, budget)
  // Without an appearance, viewers draw these from what the annotation says.
  if (marks === null) return !isSignature && drawing.has(type) ? [rectangle] : []
  return marks.filter(({ visible, opaque }) => visible && opaque).map(({ box }) => box)
}

/** Whether at least about one character of a text lies under something: half its height, and as much in width. */
function hidesCharacter(cover: Rectangle, text: Rectangle): boolean {
  const width = Math.min(cover.right, text.right) - Math.max(cover.left, text.left)
  const height = Math.min(cover.top, text.top) - Math.max(cover.bottom, text.bottom)
  // Text may run in any direction: the lesser extent of its box is the height of its characters.
  const size = Math.min(text.top - text.bottom, text.right - text.left)
  return size > 0 && width >= size / 2 && height >= size / 2
}
