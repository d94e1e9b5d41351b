import { documentCatalog } from '../catalog.ts'
import { isName, PdfDictionary, type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { listPages } from '../page-tree.ts'
import { walkReachable } from '../reachable.ts'

/**
 * Takes out what tools leave behind in the middle of a document (trust, section 7): private data and its date,
 * thumbnails, metadata of pages, images, fonts and other parts, and when and by which name an annotation was made.
 * The catalog's `/Metadata` stays.
 */
export function removeIncidentalMetadata(graph: ObjectGraph): void {
  const catalog = documentCatalog(graph)
  for (const { dictionary } of listPages(graph)) cleanPage(graph, dictionary)
  catalog.delete('PieceInfo')
  catalog.delete('LastModified')
  walkReachable(graph, {
    container(object) {
      const dictionary = object instanceof PdfStream ? object.dictionary : object
      if (!(dictionary instanceof PdfDictionary) || dictionary === catalog) return
      // A key may also be a name that the document gave, such as that of a resource: then it leads to something else.
      if (isMetadataStream(graph, dictionary.get('Metadata'))) dictionary.delete('Metadata')
      if (!(object instanceof PdfStream)) return
      dictionary.delete('PieceInfo')
      dictionary.delete('LastModified')
    },
  })
}

function cleanPage(graph: ObjectGraph, page: PdfDictionary): void {
  for (const key of ['LastModified', 'PieceInfo', 'Metadata', 'Thumb']) page.delete(key)
  const annotations = graph.resolve(page.get('Annots'))
  if (!Array.isArray(annotations)) return
  for (const item of annotations) {
    const annotation = graph.resolve(item)
    if (!(annotation instanceof PdfDictionary)) continue
    for (const key of ['CreationDate', 'M', 'NM']) annotation.delete(key)
  }
}

function isMetadataStream(graph: ObjectGraph, value: PdfObject | undefined): boolean {
  const stream = value === undefined ? null : graph.resolve(value)
  if (!(stream instanceof PdfStream)) return false
  return (
    isName(graph.resolve(stream.dictionary.get('Type')), 'Metadata') ||
    isName(graph.resolve(stream.dictionary.get('Subtype')), 'XML')
  )
}
