import { decodeStream } from './filter/decode-stream.ts'
import { PdfDictionary, PdfName, PdfStream } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'
import { readXmp, type XmpProperty } from './metadata/xmp.ts'

/** The document catalog (ISO 32000-2, 7.7.2); an empty dictionary when `/Root` leads to none. */
export function documentCatalog(graph: ObjectGraph): PdfDictionary {
  const catalog = graph.resolve(graph.trailer.get('Root'))
  return catalog instanceof PdfDictionary ? catalog : new PdfDictionary()
}

/** The document's XMP; null where there is none or where it cannot be read. */
export function catalogXmp(graph: ObjectGraph): XmpProperty[] | null {
  const metadata = graph.resolve(documentCatalog(graph).get('Metadata'))
  if (!(metadata instanceof PdfStream)) return null
  const bytes = decodeStream(graph, metadata)
  return bytes && readXmp(bytes)
}

/** `/Version` of the catalog, such as `1.7`; null if it is not of that form. */
export function catalogVersion(graph: ObjectGraph): string | null {
  const version = graph.resolve(documentCatalog(graph).get('Version'))
  return version instanceof PdfName && /^\d\.\d$/.test(version.value) ? version.value : null
}
