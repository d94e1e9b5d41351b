import { objectHeaderEndingAt } from '../pdf/reading/object-scan.ts'
import { PdfReference } from '../pdf/object.ts'
import { listPages } from '../pdf/page-tree.ts'
import type { PdfFile, Revision } from '../pdf/pdf-file.ts'
import { MalformedPdfError } from '../pdf/reading/read-limits.ts'
import { readPdf } from '../pdf/reading/read-pdf.ts'
import type { Anomaly, Location } from './anomaly.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * Updates that are malformed in a way that serves to slip something in (rule I3). That there are updates at all, also
 * ones that change content, is no finding: every tenth ordinary file has them.
 */
export function incrementalUpdateInjection(evidence: TamperEvidence): Anomaly[] {
  const { file, signed } = evidence
  const severity = signed ? 'high' : 'medium'
  const report = (description: string, location: Location): Anomaly => ({
    type: 'INCREMENTAL_UPDATE_INJECTION',
    severity,
    description,
    location,
  })

  const anomalies: Anomaly[] = []
  const unlisted = unlistedObject(file)
  if (unlisted !== null) {
    const description =
      'An object stands behind the last cross-reference section, which does not list it.'
    anomalies.push(report(description, unlisted))
  }
  if (file.revisions.length > 1 && file.repairs.brokenChain) {
    const description = 'The chain of cross-reference sections is broken or leads in a circle.'
    anomalies.push(report(description, revisionLocation(file, file.revisions.length - 1)))
  }
  for (const index of redirectingRevisions(evidence)) {
    const description = 'An update leads a cross-reference entry to another object than it names.'
    const anomaly = report(description, revisionLocation(file, index))
    anomalies.push(signed ? { ...anomaly, severity: 'critical' } : anomaly)
  }
  for (const index of revisionsWithNewDocument(file)) {
    const description = 'An update puts another catalog with other pages in the place of the first.'
    anomalies.push(report(description, revisionLocation(file, index)))
  }
  return anomalies
}

/** The first object behind the last section whose number is live, but not there. */
function unlistedObject(file: PdfFile): Location | null {
  const { bytes, sections, graph } = file
  if (sections.length === 0) return null
  const start = Math.max(...sections.map(({ end }) => end))
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (
    let at = buffer.indexOf('obj', start, 'latin1');
    at >= 0;
    at = buffer.indexOf('obj', at + 3, 'latin1')
  ) {
    const header = objectHeaderEndingAt(bytes, at)
    if (header === null || header.start < start || !graph.has(header.number)) continue
    const provenance = file.provenance(header.number)
    if (provenance?.kind === 'offset' && provenance.start === header.start) continue
    const { number, generation } = header
    return { start: header.start, object: { number, generation } }
  }
  return null
}

function redirectingRevisions({ redirectedEntries }: TamperEvidence): number[] {
  const indexes = redirectedEntries.flatMap(({ section }) =>
    section.revision > 0 ? [section.revision] : [],
  )
  return [...new Set(indexes)].toSorted((a, b) => a - b)
}

/** Revisions whose trailer roots another catalog that shares no page with the one before. */
function revisionsWithNewDocument(file: PdfFile): number[] {
  const found: number[] = []
  for (const [index, revision] of file.revisions.entries()) {
    const before = file.revisions[index - 1]
    if (before === undefined || !hasOtherRoot(before, revision)) continue
    const earlier = pageNumbers(file.bytes.subarray(0, before.end))
    const later = pageNumbers(file.bytes.subarray(0, revision.end))
    if (earlier.size === 0 || later.size === 0) continue
    if (![...later].some((number) => earlier.has(number))) found.push(index)
  }
  return found
}

function hasOtherRoot(before: Revision, after: Revision): boolean {
  const earlier = before.trailer.get('Root')
  const later = after.trailer.get('Root')
  return (
    earlier instanceof PdfReference &&
    later instanceof PdfReference &&
    earlier.number !== later.number
  )
}

function pageNumbers(bytes: Uint8Array): Set<number> {
  try {
    const pages = listPages(readPdf(bytes).graph)
    return new Set(pages.flatMap(({ reference }) => reference?.number ?? []))
  } catch (error) {
    if (error instanceof MalformedPdfError) return new Set()
    throw error
  }
}

function revisionLocation(file: PdfFile, index: number): Location {
  const { revisions, bytes } = file
  const revision = revisions[index]
  const start = revision?.start ?? 0
  const end = Math.max(revision?.end ?? bytes.length, start)
  return { start, end, revision: { index, of: revisions.length } }
}
