import { isName, PdfDictionary, PdfStream, type PdfObject } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { walkReachable } from '../pdf/reachable.ts'

/** Whether anything of the transparent imaging model (ISO 32000-2, 11) is used: it came with PDF 1.4. */
export function usesTransparency(graph: ObjectGraph): boolean {
  let found = false
  walkReachable(graph, {
    container: (container) => {
      const dictionary = container instanceof PdfStream ? container.dictionary : container
      if (!found && dictionary instanceof PdfDictionary) found = isTransparent(graph, dictionary)
    },
  })
  return found
}

function isTransparent(graph: ObjectGraph, dictionary: PdfDictionary): boolean {
  const value = (key: string): PdfObject => graph.resolve(dictionary.get(key))
  if (isName(value('S'), 'Transparency')) return true
  const mask = value('SMask')
  if (mask instanceof PdfStream || mask instanceof PdfDictionary) return true
  if (!isName(value('Type'), 'ExtGState')) return false
  return ['ca', 'CA'].some((key) => {
    const alpha = value(key)
    return typeof alpha === 'number' && alpha < 1
  })
}
