import { type PdfDictionary, type PdfObject, PdfStream } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'

/**
 * Leaves in a page's `/Contents` what ISO 32000-2, 7.7.3.3 allows there, a stream or an array of streams; viewers pass
 * over anything else.
 *
 * @returns whether anything had to be taken out
 */
export function mendPageContents(graph: ObjectGraph, page: PdfDictionary): boolean {
  const contents = graph.resolve(page.get('Contents'))
  if (contents === null || contents instanceof PdfStream) return false
  if (!Array.isArray(contents)) {
    page.delete('Contents')
    return true
  }
  const isStream = (item: PdfObject): boolean => graph.resolve(item) instanceof PdfStream
  if (contents.every(isStream)) return false
  page.set('Contents', contents.filter(isStream))
  return true
}
