import { PdfDictionary, PdfName, PdfReference } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfPage } from '../pdf/page-tree.ts'

export interface PageAnnotation {
  /** The number of the object; null for a direct one. */
  readonly object: number | null
  readonly dictionary: PdfDictionary
}

/**
 * The annotations of a page by what tells each from all others of the document: its number or, if it has none, the
 * page, what it is and where it stands, and its place among those of which that is the same. What is freed or missing
 * is not there.
 */
export function pageAnnotations(graph: ObjectGraph, page: PdfPage): Map<string, PageAnnotation> {
  const found = new Map<string, PageAnnotation>()
  const alike = new Map<string, number>()
  const listed = graph.resolve(page.dictionary.get('Annots'))
  for (const item of Array.isArray(listed) ? listed : []) {
    const dictionary = graph.resolve(item)
    if (!(dictionary instanceof PdfDictionary) || !dictionary.has('Subtype')) continue
    if (item instanceof PdfReference) {
      found.set(String(item.number), { object: item.number, dictionary })
      continue
    }
    const likeness = `page ${page.reference?.number} ${likenessOf(graph, dictionary)}`
    const place = alike.get(likeness) ?? 0
    alike.set(likeness, place + 1)
    found.set(`${likeness} ${place}`, { object: null, dictionary })
  }
  return found
}

/** Flags Hidden and NoView (ISO 32000-2, table 167). */
export function isHidden(graph: ObjectGraph, annotation: PdfDictionary): boolean {
  const flags = graph.resolve(annotation.get('F'))
  return typeof flags === 'number' && (flags & (2 | 32)) !== 0
}

function likenessOf(graph: ObjectGraph, annotation: PdfDictionary): string {
  const subtype = graph.resolve(annotation.get('Subtype'))
  const rectangle = graph.resolve(annotation.get('Rect'))
  const corners = (Array.isArray(rectangle) ? rectangle : []).slice(0, 4).map((item) => {
    const corner = graph.resolve(item)
    return typeof corner === 'number' ? Math.round(corner * 10) : null
  })
  return `${subtype instanceof PdfName ? subtype.value : ''} ${corners.join(' ')}`
}
