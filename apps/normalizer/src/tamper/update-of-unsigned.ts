import { PdfReference } from '../pdf/object.ts'
import { walkReachable } from '../pdf/reachable.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { activeKinds } from '../revision/active-items.ts'
import { replacedPages } from '../revision/replaced-pages.ts'
import { readUpTo } from '../revision/signed-states.ts'
import type { Anomaly } from './anomaly.ts'
import { revisionLocation } from './revision-location.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * Updates of a document that nobody signed: active content of a kind that it did not have (rule I2), and other pages in
 * the place of its own (rule I4). Edits, annotations and filled forms are none of these.
 */
export function updateOfUnsigned({ file, signed }: TamperEvidence): Anomaly[] {
  if (signed || file.encrypted || file.revisions.length < 2) return []
  return [...newActiveContent(file), ...newPages(file)]
}

function newActiveContent(file: PdfFile): Anomaly[] {
  const kindsOfRevisions = kindsByRevision(file)
  if (kindsOfRevisions.size === 0) return []
  const known = originalKinds(file)
  const anomalies: Anomaly[] = []
  for (const [revision, kinds] of [...kindsOfRevisions].toSorted(([a], [b]) => a - b)) {
    const added = [...kinds].filter((kind) => !known.has(kind))
    for (const kind of kinds) known.add(kind)
    if (added.length === 0) continue
    anomalies.push({
      type: 'INCREMENTAL_UPDATE_INJECTION',
      severity: added.some((kind) => !ordinaryAdditions.has(kind)) ? 'medium' : 'low',
      description: 'An update adds active content of a kind that the document did not have.',
      location: revisionLocation(file, revision),
    })
  }
  return anomalies
}

/** What people add to documents of theirs: attachments such as an invoice's data, films, forms to be sent. */
const ordinaryAdditions: ReadonlySet<string> = new Set([
  'EmbeddedFile',
  'RichMedia',
  'Rendition',
  'SubmitForm',
])

/** What is live and reachable of active content, by the update that wrote it. */
function kindsByRevision(file: PdfFile): Map<number, Set<string>> {
  const found: { number: number; revision: number; kinds: Set<string> }[] = []
  const seen = new Set<number>()
  for (const { revision, entries } of file.sections) {
    if (revision === 0) continue
    for (const [number, { kind }] of entries) {
      if (seen.has(number)) continue
      seen.add(number)
      const kinds = kind === 'free' ? null : activeKinds(file.graph, file.graph.get(number))
      if (kinds !== null && kinds.size > 0) found.push({ number, revision, kinds })
    }
  }

  const byRevision = new Map<number, Set<string>>()
  const reached = found.length === 0 ? new Set<number>() : walkReachable(file.graph, {})
  for (const { number, revision, kinds } of found) {
    if (!reached.has(number)) continue
    const all = byRevision.get(revision) ?? new Set()
    for (const kind of kinds) all.add(kind)
    byRevision.set(revision, all)
  }
  return byRevision
}

function originalKinds(file: PdfFile): Set<string> {
  const kinds = new Set<string>()
  const original = readUpTo(file.bytes, file.revisions[0]?.end ?? 0)
  if (original === null) return kinds
  for (const number of original.graph.numbers())
    for (const kind of activeKinds(original.graph, original.graph.get(number))) kinds.add(kind)
  return kinds
}

function newPages(file: PdfFile): Anomaly[] {
  const last = file.revisions.length - 1
  const before = readUpTo(file.bytes, file.revisions[last - 1]?.end ?? 0)
  // Another catalog is told as that.
  if (before === null || rootNumber(before) !== rootNumber(file)) return []
  const { replaced, of } = replacedPages(before, file)
  if (of === 0 || replaced * 2 < of) return []
  return [
    {
      type: 'INCREMENTAL_UPDATE_INJECTION',
      severity: 'low',
      description: `An update takes ${replaced} of ${of} pages away or puts other content on them.`,
      location: revisionLocation(file, last),
    },
  ]
}

function rootNumber({ graph }: PdfFile): number | null {
  const root = graph.trailer.get('Root')
  return root instanceof PdfReference ? root.number : null
}
