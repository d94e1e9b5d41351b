import { isSame } from '../pdf/reading/object-parser.ts'
import { objectHeaderEndingAt } from '../pdf/reading/object-scan.ts'
import { PdfReference } from '../pdf/object.ts'
import { listPages } from '../pdf/page-tree.ts'
import type { PdfFile, Revision } from '../pdf/pdf-file.ts'
import { MalformedPdfError, ResourceLimitError } from '../pdf/reading/read-limits.ts'
import { readPdf } from '../pdf/reading/read-pdf.ts'
import type { Anomaly, Location } from './anomaly.ts'
import { isBrokenOff } from './end-of-file.ts'
import { malformedUpdates } from './malformed-update.ts'
import { objectReader } from './object-reader.ts'
import { revisionLocation } from './revision-location.ts'
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
  const unlisted = unlistedObject(evidence)
  if (unlisted !== null && !signed && isBrokenOff(file, unlisted.start)) {
    const description = 'The last update lacks its end, and some readers do without it.'
    anomalies.push({ ...report(description, unlisted), severity: 'low' })
  } else if (unlisted !== null) {
    const description =
      'An object stands behind the last cross-reference section, which does not list it.'
    anomalies.push(report(description, unlisted))
  }
  for (const { description, revision } of malformedUpdates(file, signed)) {
    anomalies.push(report(description, revisionLocation(file, revision)))
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

/** The first object behind the last section whose number is in use, but for something else. */
function unlistedObject({ file, parts, offsetsHold }: TamperEvidence): Location | null {
  const { bytes, sections, graph } = file
  if (!offsetsHold) return null
  let start = 0
  for (const { end } of sections) start = Math.max(start, end)
  let readObject: ReturnType<typeof objectReader> | null = null
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (
    let at = buffer.indexOf('obj', start, 'latin1');
    at >= 0;
    at = buffer.indexOf('obj', at + 3, 'latin1')
  ) {
    const header = objectHeaderEndingAt(bytes, at)
    if (header === null || header.start < start) continue
    const { number, generation } = header
    if (!graph.has(number) && !parts.missing.has(number)) continue
    const provenance = file.provenance(number)
    if (provenance?.kind === 'offset' && provenance.start === header.start) continue
    readObject ??= objectReader(file)
    const object = readObject(header.start)
    if (object !== undefined && isSame(object, graph.get(number))) continue
    return { start: header.start, object: { number, generation } }
  }
  return null
}

function redirectingRevisions({ redirectedEntries }: TamperEvidence): number[] {
  const indexes = redirectedEntries.flatMap(({ section, leadsToObject }) =>
    leadsToObject && section.revision > 0 ? [section.revision] : [],
  )
  return [...new Set(indexes)].toSorted((a, b) => a - b)
}

/** Each is read with and without its update, so only so many are. */
const maxRootsCompared = 4

/** Revisions whose trailer roots another catalog that shares no page with the one before. */
function revisionsWithNewDocument(file: PdfFile): number[] {
  const replaced = file.revisions.filter((revision, index) => {
    const before = file.revisions[index - 1]
    return before !== undefined && hasOtherRoot(before, revision)
  })
  const known = new Map<number, ReadonlySet<string>>()
  const pagesUpTo = (end: number): ReadonlySet<string> => {
    const pages = known.get(end) ?? pageParts(file.bytes.subarray(0, end))
    known.set(end, pages)
    return pages
  }
  return replaced.slice(-maxRootsCompared).flatMap(({ index, start, end }) => {
    const earlier = pagesUpTo(start)
    const later = pagesUpTo(end)
    if (earlier.size === 0 || later.size === 0) return []
    return [...later].some((part) => earlier.has(part)) ? [] : [index]
  })
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

/** What tells a page that was kept: its own number, and where its contents stand if a writer copied only the page. */
function pageParts(bytes: Uint8Array): Set<string> {
  try {
    const file = readPdf(bytes)
    return new Set(
      listPages(file.graph).flatMap(({ reference, dictionary }) => {
        const contents = dictionary.get('Contents')
        const place = contents instanceof PdfReference ? file.provenance(contents.number) : null
        return [
          ...(reference === null ? [] : [`page ${reference.number}`]),
          ...(place?.kind === 'offset' ? [`contents ${place.start}`] : []),
        ]
      }),
    )
  } catch (error) {
    if (error instanceof MalformedPdfError || error instanceof ResourceLimitError) return new Set()
    throw error
  }
}
