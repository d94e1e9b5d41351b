import { isPreserved } from '../preserved.ts'
import { PRODUCER } from '../pipeline-spec.ts'
import { catalogXmp, documentCatalog } from '../pdf/catalog.ts'
import { metadataRecord } from '../pdf/metadata/metadata-record.ts'
import { PdfDictionary, PdfName, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { type PdfaClaim, pdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import { removeIncidentalMetadata } from '../pdf/metadata/incidental-metadata.ts'
import { encodeTextString } from '../pdf/text-string.ts'
import { writeXmpPacket } from '../pdf/metadata/xmp-packet.ts'
import { xmpNamespaces } from '../pdf/metadata/xmp.ts'
import type { DocumentInProgress, Stage } from '../stage.ts'

/**
 * Info and XMP, both written from one record of what the document says about itself, and nothing that changes from
 * save to save or tells who made it with what (trust, section 7). Result `normalized` or `preserved`.
 */
export const metadataCanonical: Stage = {
  name: 'MetadataCanonical',

  run(document) {
    const { graph } = document.file
    const xmp = catalogXmp(graph)
    const claim = pdfaClaim(xmp ?? [])
    const keepPdfaClaim = decideClaim(document, claim)
    if (isPreserved(document)) return 'preserved'

    const record = metadataRecord(graph, xmp, { keepPdfaClaim, oneCreator: claim?.part === 1 })
    const producer = { kind: 'text', text: PRODUCER, language: null } as const
    const packet = writeXmpPacket(
      [...record.properties, { namespace: xmpNamespaces.pdf, name: 'Producer', value: producer }],
      record.prefixes,
    )
    writeCatalog(graph, packet)
    // ISO 19005-4, 6.1.3: no Info without PieceInfo, which is removed.
    if (claim?.part === 4 && keepPdfaClaim) graph.trailer.delete('Info')
    else writeInfo(graph, record.info)
    removeIncidentalMetadata(graph)
    return 'normalized'
  },
}

/**
 * Whether the output goes on claiming to be PDF/A, and the warnings that belong to it. `pdfaPreserved` stays false:
 * it says that compliance was there and still is, and nothing has checked that.
 */
function decideClaim(document: DocumentInProgress, claim: PdfaClaim | null): boolean {
  if (!claim) return false
  const { findings, options } = document
  const label = `PDF/A-${claim.level}`

  if (isPreserved(document)) {
    findings.warn(
      'PDFA_NOT_PRESERVED',
      `The file is unchanged and still claims ${label}; its compliance was not validated.`,
    )
    return true
  }
  if (options.pdfaPolicy === 'normalize_anyway') {
    findings.warn(
      'PDFA_CLAIM_DROPPED',
      `The claim to be ${label} was removed: it was not validated.`,
    )
    return false
  }
  if (claim.level === '4f' && findings.security.embeddedFilesRemoved) {
    findings.warn(
      'PDFA_CLAIM_DROPPED',
      `The claim to be ${label} was removed: it requires the embedded files that were taken out.`,
    )
    return false
  }
  findings.warn(
    'PDFA_NOT_PRESERVED',
    `The claim to be ${label} was kept, but neither the original nor the output was validated.`,
  )
  return true
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
  const info = new PdfDictionary([['Producer', encodeTextString(PRODUCER)]])
  for (const [key, text] of texts) info.set(key, encodeTextString(text))
  graph.trailer.set('Info', graph.add(info))
}
