import { documentCatalog } from '../catalog.ts'
import { PdfDictionary, PdfName, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { encodeTextString } from '../text-string.ts'
import { metadataRecord } from './metadata-record.ts'
import { pdfaClaim } from './pdfa-claim.ts'
import { writeXmpPacket } from './xmp-packet.ts'
import { type XmpProperty, xmpNamespaces } from './xmp.ts'

/**
 * Writes Info, the catalog's XMP and its viewer preferences anew, from one record of what the document says about itself.
 *
 * @param xmp what the document's XMP holds; null where there is none or where it is not well-formed
 */
export function writeMetadata(
  graph: ObjectGraph,
  xmp: readonly XmpProperty[] | null,
  { producer, keepPdfaClaim }: { readonly producer: string; readonly keepPdfaClaim: boolean },
): void {
  const claim = pdfaClaim(xmp ?? [])
  const claims = claim !== null && keepPdfaClaim
  const record = metadataRecord(graph, xmp, {
    keepPdfaClaim: claims,
    oneCreator: claim?.part === 1,
  })
  const value = { kind: 'text', text: producer, language: null } as const
  const packet = writeXmpPacket(
    [...record.properties, { namespace: xmpNamespaces.pdf, name: 'Producer', value }],
    record.prefixes,
  )
  writeCatalog(graph, packet)
  // ISO 19005-4, 6.1.3: no Info without PieceInfo, which is removed.
  if (claims && claim.part === 4) graph.trailer.delete('Info')
  else writeInfo(graph, new Map([['Producer', producer], ...record.info]))
}

function writeCatalog(graph: ObjectGraph, packet: Uint8Array): void {
  const catalog = documentCatalog(graph)
  const dictionary = new PdfDictionary([
    ['Type', new PdfName('Metadata')],
    ['Subtype', new PdfName('XML')],
  ])
  catalog.set('Metadata', graph.add(new PdfStream(dictionary, packet)))

  const preferences = graph.resolve(catalog.get('ViewerPreferences'))
  catalog.delete('ViewerPreferences')
  if (!(preferences instanceof PdfDictionary)) return
  const kept = new PdfDictionary()
  for (const key of ['DisplayDocTitle', 'Direction']) {
    const value = graph.resolve(preferences.get(key))
    if (typeof value === 'boolean' || value instanceof PdfName) kept.set(key, value)
  }
  if (kept.size > 0) catalog.set('ViewerPreferences', kept)
}

function writeInfo(graph: ObjectGraph, texts: ReadonlyMap<string, string>): void {
  const info = new PdfDictionary()
  for (const [key, text] of texts) info.set(key, encodeTextString(text))
  graph.trailer.set('Info', graph.add(info))
}
