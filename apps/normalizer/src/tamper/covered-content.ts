import { ContentBudget } from '../pdf/content/content-budget.ts'
import { type PageMark, pageMarks } from '../pdf/content/page-marks.ts'
import { isName, PdfDictionary, PdfReference } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { inheritedAttribute, type PdfPage } from '../pdf/page-tree.ts'
import { ResourceLimitError } from '../pdf/reading/read-limits.ts'
import { type Rectangle, rectangleOf } from '../pdf/rectangle.ts'
import type { Anomaly } from './anomaly.ts'
import { objectLocation } from './object-location.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** How much of the smaller, or of the text, must be covered. */
const covering = 0.9

/**
 * What was laid over something else before anyone signed: a later update only has to take it away (rule S5). Unsigned
 * documents have nothing that could be shown in its place to anyone's harm.
 */
export function coveredContent(evidence: TamperEvidence): Anomaly[] {
  if (!evidence.signed) return []
  return [...overlappingWidgets(evidence), ...coveredText(evidence)]
}

/** No page of a form has as many; beyond them only so many are compared with each other. */
const maxWidgets = 2000

function overlappingWidgets({ file, pages }: TamperEvidence): Anomaly[] {
  const { graph } = file
  const anomalies: Anomaly[] = []
  for (const [index, { dictionary, reference }] of pages.entries()) {
    const annotations = graph.resolve(dictionary.get('Annots'))
    if (!Array.isArray(annotations)) continue
    const widgets = annotations.slice(0, maxWidgets).flatMap((item) => {
      const widget = graph.resolve(item)
      if (!(widget instanceof PdfDictionary) || !isVisibleWidget(graph, widget)) return []
      const box = rectangleOf(graph, widget.get('Rect'))
      if (box === null || area(box) <= 0) return []
      const own = item instanceof PdfReference ? item.number : reference?.number
      return [{ widget, box, number: own }]
    })
    const seen = new Set<PdfDictionary>()
    for (const [at, { widget, box, number }] of widgets.entries()) {
      if (seen.has(widget)) continue
      seen.add(widget)
      const isCovered = widgets
        .slice(0, at)
        .some((other) => other.widget !== widget && overlap(box, other.box) >= covering)
      if (!isCovered) continue
      const location = number === undefined ? null : objectLocation(file, number)
      anomalies.push({
        type: 'SHADOW_CONTENT_DETECTED',
        severity: 'medium',
        description: 'Two visible form fields lie over each other.',
        location: location && { ...location, page: index + 1 },
      })
    }
  }
  return anomalies
}

/** ISO 32000-2, 12.5.3: bits 2 (Hidden) and 6 (NoView). */
const invisible = 2 | 32

function isVisibleWidget(graph: ObjectGraph, widget: PdfDictionary): boolean {
  if (!isName(graph.resolve(widget.get('Subtype')), 'Widget')) return false
  const flags = graph.resolve(widget.get('F'))
  if (typeof flags === 'number' && (flags & invisible) !== 0) return false
  const appearances = graph.resolve(widget.get('AP'))
  return appearances instanceof PdfDictionary && graph.resolve(appearances.get('N')) !== null
}

/** Something opaque, painted after all the text that shows, over nearly all of it. */
function coveredText({ file, pages }: TamperEvidence): Anomaly[] {
  const budget = new ContentBudget()
  const anomalies: Anomaly[] = []
  for (const [index, page] of pages.entries()) {
    if (!hasDrawnObjects(file.graph, page)) continue
    const marks = marksOf(file.graph, page, budget)
    if (marks === null || !isTextCovered(marks)) continue
    const number = page.reference?.number
    const location = number === undefined ? null : objectLocation(file, number)
    anomalies.push({
      type: 'SHADOW_CONTENT_DETECTED',
      severity: 'medium',
      description: 'Something opaque lies over the text of a page.',
      location: location && { ...location, page: index + 1 },
    })
  }
  return anomalies
}

/** null for content that expands to more than the limits allow: stages that need it end the document for that. */
function marksOf(graph: ObjectGraph, page: PdfPage, budget: ContentBudget): PageMark[] | null {
  try {
    return pageMarks(graph, page, budget)
  } catch (error) {
    if (error instanceof ResourceLimitError) return null
    throw error
  }
}

function hasDrawnObjects(graph: ObjectGraph, page: PdfPage): boolean {
  const resources = inheritedAttribute(graph, page, 'Resources')
  const drawn = resources instanceof PdfDictionary ? graph.resolve(resources.get('XObject')) : null
  return drawn instanceof PdfDictionary && drawn.size > 0
}

function isTextCovered(marks: readonly PageMark[]): boolean {
  const visible = marks.filter((mark) => mark.visible && area(mark.box) > 0)
  const text = visible.filter(({ kind }) => kind === 'text')
  if (text.length === 0) return false
  const lastText = visible.findLastIndex(({ kind }) => kind === 'text')
  const last = visible.slice(lastText + 1).findLast(({ opaque }) => opaque)
  if (last === undefined) return false
  const whole = text.reduce((sum, { box }) => sum + area(box), 0)
  const covered = text.reduce((sum, { box }) => sum + common(box, last.box), 0)
  return covered >= whole * covering
}

/** The part of the smaller that lies in the larger. */
function overlap(one: Rectangle, other: Rectangle): number {
  return common(one, other) / Math.min(area(one), area(other))
}

function common(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom)
  return width > 0 && height > 0 ? width * height : 0
}

function area({ left, right, bottom, top }: Rectangle): number {
  return (right - left) * (top - bottom)
}
