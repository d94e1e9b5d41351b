import { dropObjects } from '../drop-objects.ts'
import { isName, PdfDictionary } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { walkDirect } from '../walk-direct.ts'

/**
 * Takes every annotation (ISO 32000-2, 12.5) out of the document, together with pop-ups and with what the structure
 * tree says of them.
 *
 * @returns how many there were
 */
export function removeAnnotations(graph: ObjectGraph): number {
  const annotations = new Set<PdfDictionary>()
  const pages: PdfDictionary[] = []
  for (const number of graph.numbers()) {
    walkDirect(graph.get(number), (object) => {
      if (!(object instanceof PdfDictionary)) return
      const listed = graph.resolve(object.get('Annots'))
      if (Array.isArray(listed)) {
        pages.push(object)
        for (const item of listed) {
          const annotation = graph.resolve(item)
          if (annotation instanceof PdfDictionary) annotations.add(annotation)
        }
      }
      if (isName(graph.resolve(object.get('Type')), 'Annot')) annotations.add(object)
    })
  }
  dropObjects(graph, annotations)
  for (const page of pages) page.delete('Annots')
  return annotations.size
}
