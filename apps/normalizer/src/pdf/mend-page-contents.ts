import { isName, type PdfDictionary, type PdfObject, PdfStream } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'
import { isUndecodable } from './filter/mend-filters.ts'

/**
 * Leaves in a page's `/Contents` what ISO 32000-2, 7.7.3.3 allows there, a stream or an array of streams; viewers pass
 * over anything else. Streams that hold the file together are none: no rewrite has them. Nor is data of a filter that
 * does not exist, unless it reads like content as it is.
 *
 * @returns whether anything had to be taken out
 */
export function mendPageContents(graph: ObjectGraph, page: PdfDictionary): boolean {
  const contents = graph.resolve(page.get('Contents'))
  const isContent = (item: PdfObject): boolean => {
    const stream = graph.resolve(item)
    if (!(stream instanceof PdfStream)) return false
    const type = graph.resolve(stream.dictionary.get('Type'))
    return !isName(type, 'XRef') && !isName(type, 'ObjStm') && !isUndecodable(graph, stream)
  }
  if (contents === null || isContent(contents)) return false
  if (!Array.isArray(contents)) {
    page.delete('Contents')
    return true
  }
  if (contents.every(isContent)) return false
  page.set('Contents', contents.filter(isContent))
  return true
}
