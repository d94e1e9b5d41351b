import { scanOutput } from '../active-content/second-scan.ts'
import { catalogVersion, catalogXmp } from '../pdf/catalog.ts'
import { NotLinearizableError } from '../pdf/writing/object-users.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { pdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import { laterVersion, type PdfVersion } from '../pdf/writing/required-version.ts'
import { SettledGraph } from '../pdf/writing/settled-graph.ts'
import { type WriteOptions, writeDocument } from '../pdf/writing/writer.ts'
import { type WrittenDocument, writtenDocument } from '../pdf/writing/written-document.ts'
import { writtenPages } from '../pdf/writing/written-pages.ts'
import { isPreserved } from '../preserved.ts'
import { type DocumentInProgress, PipelineStop, type Stage } from '../stage.ts'

/**
 * Writes the document anew: what can be reached from catalog and Info, in canonical form, as one revision. The finished
 * bytes are then looked at once more, independently, for anything that had to be removed. A preserved document is its
 * input. Result `success` or `preserved`.
 */
export const finalRewrite: Stage = {
  name: 'FinalRewrite',

  run(document) {
    if (isPreserved(document)) {
      document.output = asFound(document.file)
      return 'preserved'
    }
    const written = writtenDocument(document.file.graph)
    const format = formatOf(document.file.graph, written)
    const linearized = document.options.linearize ? linearize(document, written, format) : null
    const bytes = linearized ?? writeDocument(written, { ...format, linearize: false })
    refuseActiveContent(bytes)
    document.output = {
      bytes,
      pdfVersion: format.version,
      linearized: linearized !== null,
      pages: writtenPages(written.settled, document.file.graph),
    }
    return 'success'
  },
}

function asFound(file: PdfFile): NonNullable<DocumentInProgress['output']> {
  // ISO 32000-2, 7.7.2: the catalog's version counts if it is later than the header's.
  const [latest = 'unknown'] = [file.header.version, catalogVersion(file.graph)]
    .filter((version) => version !== null)
    .toSorted((a, b) => Number(b) - Number(a))
  const linearized = file.linearization?.intact ?? false
  const pages = writtenPages(new SettledGraph(file.graph), file.graph)
  return { bytes: file.bytes, pdfVersion: latest, linearized, pages }
}

type Format = Pick<WriteOptions, 'version' | 'objectStreams'>

/** The version that the features ask for, within what the PDF/A claim that the output makes allows (trust, section 4). */
function formatOf(graph: ObjectGraph, { neededVersion }: WrittenDocument): Format {
  switch (pdfaClaim(catalogXmp(graph) ?? [])?.part) {
    case 1:
      // ISO 19005-1, 6.1.4: no cross-reference streams, and so no object streams.
      return { version: '1.4', objectStreams: false }
    case 2:
    case 3:
      return { version: earlierVersion(neededVersion, '1.7'), objectStreams: true }
    case 4:
      return { version: '2.0', objectStreams: true }
    default:
      return { version: neededVersion, objectStreams: true }
  }
}

function earlierVersion(one: PdfVersion, other: PdfVersion): PdfVersion {
  return laterVersion(one, other) === one ? other : one
}

function linearize(
  { findings }: DocumentInProgress,
  written: WrittenDocument,
  format: Format,
): Uint8Array | null {
  try {
    return writeDocument(written, { ...format, linearize: true })
  } catch (error) {
    if (!(error instanceof NotLinearizableError)) throw error
    findings.warn('LINEARIZATION_SKIPPED', `The output is not linearized: ${error.message}.`)
    return null
  }
}

function refuseActiveContent(bytes: Uint8Array): void {
  const [hit] = scanOutput(bytes)
  if (!hit) return
  const place = hit.object === null ? 'the trailer' : `object ${hit.object}`
  throw new PipelineStop(
    'INTERNAL_ERROR',
    `The output still holds what had to be removed: ${hit.what} in ${place}.`,
  )
}
