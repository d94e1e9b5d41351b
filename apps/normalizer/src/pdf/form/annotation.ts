import { dropObjects } from '../drop-objects.ts'
import { isName, type PdfDictionary } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { dictionaryOf, walkDirect } from '../walk-direct.ts'

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
      const holder = dictionaryOf(object)
      if (!holder) return
      const listed = graph.resolve(holder.get('Annots'))
      if (Array.isArray(listed)) {
        pages.push(holder)
        for (const item of listed) {
          const annotation = dictionaryOf(graph.resolve(item))
          if (annotation) annotations.add(annotation)
        }
      }
      // A stream that only calls itself one may be drawn as what it is.
      const isAnnotation = isName(graph.resolve(holder.get('Type')), 'Annot')
      if (isAnnotation && object === holder) annotations.add(holder)
    })
  }
  dropObjects(graph, annotations)
  for (const page of pages) page.delete('Annots')
  return annotations.size
}
