import type { TamperSeverity } from '@pdfnorm/contracts/schema/tamper-analysis'
import { signatureValues } from '../pdf/form/signature-field.ts'
import type { PdfDictionary } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { walkReachable } from '../pdf/reachable.ts'
import { readObjectHeader } from '../pdf/reading/indirect-object.ts'
import { objectHeaderEndingAt } from '../pdf/reading/object-scan.ts'
import { signedRange } from '../signature/byte-range.ts'
import type { Change } from './change.ts'
import type { ComparedDocuments } from './compared-documents.ts'
import { type CoveringChange, coveringChanges } from './covered-text.ts'
import { documentChanges } from './document-changes.ts'
import { isSigned } from './form-changes.ts'
import { type ObjectPlace, objectPlace } from './object-place.ts'
import { combined, gravity, type Permissions } from './permission.ts'
import { resurrectedEntries } from './resurrected-entries.ts'
import type { DocumentState } from './revision-pair.ts'
import { ComparisonBudget } from './same-object.ts'
import { type SignedState, signedRevisions, signedState } from './signed-states.ts'

/** What became of a document after it was signed. */
export interface SignedHistory {
  readonly changes: readonly JudgedChange[]
  /** Fields that were signed once and are now gone or empty. */
  readonly lostSignatures: readonly LostSignature[]
  /** Annotations that an update laid over signed text, or took away from over it. */
  readonly coverings: readonly Covering[]
  /** Revisions up to which a byte range signs and of which no document can be made. */
  readonly unreadableRevisions: readonly number[]
  /** The values of signatures after which something was changed that they do not permit. */
  readonly overtaken: ReadonlySet<PdfDictionary>
}

export interface JudgedChange extends Change {
  /** Index of the revision that made it. */
  readonly revision: number
  /** null where the signatures before it permit it. */
  readonly severity: TamperSeverity | null
  readonly place: ObjectPlace | null
  /** Whether the update freed the object. */
  readonly freed: boolean
}

export interface Covering {
  readonly how: CoveringChange['how']
  readonly isSignature: boolean
  readonly page: number
  readonly place: ObjectPlace | null
}

export interface LostSignature {
  readonly place: ObjectPlace | null
}

const histories = new WeakMap<PdfFile, SignedHistory>()

/**
 * Compares the document as it was at each signature with what came after, and judges each change by what the
 * signatures before it permit. Read once for each file, before its graph is edited.
 *
 * @throws {ResourceLimitError} when a state of the document costs more than the limits allow
 */
export function signedHistory(file: PdfFile): SignedHistory {
  const known = histories.get(file)
  if (known !== undefined) return known
  const history = new HistoryReader(file).read()
  histories.set(file, history)
  return history
}

class HistoryReader {
  readonly #file: PdfFile
  readonly #budget = new ComparisonBudget()
  readonly #changes: JudgedChange[] = []
  readonly #coverings: Covering[] = []
  readonly #unreadable: number[] = []
  readonly #passed: PassedState[] = []
  /** Signed fields of any state by their key in the form. */
  readonly #signedFields = new Map<string, ObjectPlace | null>()

  constructor(file: PdfFile) {
    this.#file = file
  }

  read(): SignedHistory {
    const file = this.#file
    const last = file.revisions.length - 1
    let state: SignedState | null = null
    let documents: ComparedDocuments | null = null
    for (const revision of file.encrypted ? [] : signedRevisions(file)) {
      const next = signedState(file, revision)
      if (next === 'unreadable') this.#unreadable.push(revision)
      if (next === 'unreadable' || next === null) continue
      if (state !== null) this.#judge(state, next, next.revision)
      this.#pass(next)
      state = next
    }
    if (state !== null) documents = this.#judge(state, { file, graph: file.graph }, last)
    return {
      changes: this.#changes,
      coverings: this.#coverings,
      unreadableRevisions: this.#unreadable,
      lostSignatures: documents === null ? [] : this.#lostSignatures(documents),
      overtaken: this.#overtaken(),
    }
  }

  #pass({ signatures }: SignedState): void {
    const earlier = this.#passed.at(-1)?.permissions
    const own = signatures.map(({ permissions }) => permissions)
    const permissions = combined(earlier === undefined ? own : [earlier, ...own])
    const gapStarts = signatures.map(({ gapStart }) => gapStart)
    this.#passed.push({ gapStarts, permissions, overtaken: false })
  }

  /** What the revisions after a state up to another one changed. */
  #judge(state: SignedState, later: DocumentState, revision: number): ComparedDocuments {
    const span = { after: state.revision, upTo: revision }
    const documents = documentChanges(state, later, this.#budget)
    this.#addResurrected(documents, span)
    const coverings = coveringChanges(documents)
    for (const { how, annotation } of coverings) {
      const { object, pageIndex, later: altered } = annotation
      // Moved away or made transparent, it is gone from where it was.
      if (how === 'removed' && altered !== null)
        documents.add('annotation-removed', { object, page: pageIndex + 1 })
    }
    const revisions = revisionsOfObjects(this.#file, span)
    const strictest = this.#passed.at(-1)?.permissions ?? combined([])
    for (const change of documents.changes) {
      for (const passed of this.#passed)
        if (isGrave(gravity(change, passed.permissions))) passed.overtaken = true
      const { object } = change
      const writer = object === null ? undefined : revisions.get(object)
      this.#changes.push({
        ...change,
        revision: writer?.revision ?? revision,
        freed: writer?.freed ?? false,
        severity: gravity(change, strictest),
        place:
          object === null
            ? null
            : (objectPlace(later.file, object) ?? objectPlace(state.file, object)),
      })
    }
    for (const { how, annotation } of coverings) {
      const { isSignature, pageIndex, object } = annotation
      // Where annotations may not be removed, it is told as that.
      if (how === 'removed' && strictest.level !== 3) continue
      const holder = how === 'placed' ? later.file : state.file
      const place = object === null ? null : objectPlace(holder, object)
      this.#coverings.push({ how, isSignature, page: pageIndex + 1, place })
    }
    if (this.#isRedirected(span)) for (const passed of this.#passed) passed.overtaken = true

    for (const [key, node] of documents.earlierNodes) {
      if (!node.isField || !isSigned(documents.before, node) || this.#signedFields.has(key))
        continue
      this.#signedFields.set(
        key,
        node.number === null ? null : objectPlace(state.file, node.number),
      )
    }
    return documents
  }

  #addResurrected(documents: ComparedDocuments, span: Span): void {
    const entries = resurrectedEntries(this.#file).filter(({ section }) => isWithin(section, span))
    if (entries.length === 0) return
    const reached = walkReachable(documents.after, {})
    for (const { number } of entries)
      if (reached.has(number)) documents.add('resurrected', { object: number })
  }

  /** Whether an entry of an update leads to another object than it names: to some readers that is what it names. */
  #isRedirected(span: Span): boolean {
    const { bytes, repairs } = this.#file
    return repairs.mismatchedEntries.some(({ number, entry, section }) => {
      if (entry.kind !== 'offset' || !isWithin(section, span)) return false
      const header = readObjectHeader(bytes, entry.offset)
      return header !== null && header.number !== number
    })
  }

  #lostSignatures({ after, laterNodes }: ComparedDocuments): LostSignature[] {
    const lost: LostSignature[] = []
    for (const [key, place] of this.#signedFields) {
      const node = laterNodes.get(key)
      if (node === undefined || !isSigned(after, node)) lost.push({ place })
    }
    return lost
  }

  #overtaken(): Set<PdfDictionary> {
    const gapStarts = new Set(
      this.#passed.flatMap((passed) => (passed.overtaken ? passed.gapStarts : [])),
    )
    const overtaken = new Set<PdfDictionary>()
    const appended = hasAppendedObjects(this.#file)
    const unreadable = this.#unreadable.flatMap((index) => this.#file.revisions[index] ?? [])
    if (gapStarts.size === 0 && !appended && unreadable.length === 0) return overtaken
    for (const { dictionary } of signatureValues(this.#file.graph, this.#file.bytes)) {
      const range = signedRange(this.#file, dictionary)
      if (range === null) continue
      const { gapStart, end: signed } = range
      const isFollowed = appended && signed < this.#file.bytes.length
      // What it signs is no document, so what is shown is not what it signs.
      const signsNone = unreadable.some(({ start, end }) => signed > start && signed <= end)
      if (gapStarts.has(gapStart) || isFollowed || signsNone) overtaken.add(dictionary)
    }
    return overtaken
  }
}

/** Objects behind the last revision, which no section lists: readers that mend the file take them up. */
function hasAppendedObjects({ bytes, revisions, sections }: PdfFile): boolean {
  const end = revisions.at(-1)?.end ?? bytes.length
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // An update that is listed is compared as what it is.
  if (end >= bytes.length || sections.some(({ offset }) => offset >= end)) return false
  for (let at = buffer.indexOf('obj', end, 'latin1'); at >= 0; at = buffer.indexOf('obj', at + 3)) {
    const header = objectHeaderEndingAt(bytes, at)
    if (header !== null && header.start >= end) return true
  }
  return false
}

/** The signatures of one state, and what they and those before them permit. */
interface PassedState {
  readonly gapStarts: readonly number[]
  readonly permissions: Permissions
  overtaken: boolean
}

/** Revisions after one and up to another. */
interface Span {
  readonly after: number
  readonly upTo: number
}

function isWithin({ revision }: { readonly revision: number }, { after, upTo }: Span): boolean {
  return revision > after && revision <= upTo
}

/** The last revision of a span that wrote or freed each number. */
function revisionsOfObjects({ sections }: PdfFile, span: Span): Map<number, LastEntry> {
  const revisions = new Map<number, LastEntry>()
  for (const section of sections) {
    if (!isWithin(section, span)) continue
    for (const [number, { kind }] of section.entries) {
      if (revisions.has(number)) continue
      revisions.set(number, { revision: section.revision, freed: kind === 'free' })
    }
  }
  return revisions
}

interface LastEntry {
  readonly revision: number
  readonly freed: boolean
}

/** Below that a change is worth telling and nothing that a signature forbids. */
function isGrave(severity: TamperSeverity | null): boolean {
  return severity === 'high' || severity === 'critical'
}
