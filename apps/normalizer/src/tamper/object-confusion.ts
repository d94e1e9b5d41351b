import { standsAt } from '../pdf/reading/character-set.ts'
import { isName, type PdfObject, PdfStream } from '../pdf/object.ts'
import { isSame } from '../pdf/reading/object-parser.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { Confusion } from './confusion.ts'
import { type LayoutFault, layoutFaults } from './body-layout.ts'
import { objectReader } from './object-reader.ts'
import { isShown } from './shown-object.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** Nobody reads a longer list. */
const maxConfusions = 10_000

/**
 * Objects that a reader which scans takes from another place than one which follows the cross-reference, or that only
 * one of the two finds (rule S3).
 */
export function objectConfusion(evidence: TamperEvidence): Confusion[] {
  const judgement: Judgement = {
    ...evidence,
    readObject: objectReader(evidence.file),
    sectionsEnd: endOfSections(evidence.file),
  }
  const found = lostObjects(evidence)
  const unended: Confusion[] = []
  for (const fault of layoutFaults(evidence.file)) {
    const confusion = confusionOf(judgement, fault)
    if (confusion === null) continue
    if (fault.kind === 'unended') unended.push(confusion)
    else found.push(confusion)
    if (found.length + unended.length > maxConfusions) break
  }
  // A writer that never ends its objects hides nothing by it.
  return unended.length <= maxUnended ? [...found, ...unended] : found
}

/** Few enough to be meant. */
const maxUnended = 2

interface Judgement extends TamperEvidence {
  readonly readObject: (offset: number) => PdfObject | undefined
  /** Where the last section ends. */
  readonly sectionsEnd: number
}

function confusionOf(
  { file, parts, offsetsHold, readObject, sectionsEnd }: Judgement,
  { kind, start, header, within }: LayoutFault,
): Confusion | null {
  const found = (description: string, grave: boolean): Confusion => {
    const object = header && { number: header.number, generation: header.generation }
    return { start, description, grave, ...(object && { object }) }
  }
  if (kind === 'stray') {
    return isOddHeader(file.bytes, start)
      ? found('An object begins with a keyword that only some readers know.', true)
      : found('Bytes between the objects belong to no part of a PDF file.', false)
  }
  if (header === null) return null

  const { number } = header
  const wanted = parts.missing.has(number)
  if (!wanted && !file.graph.has(number)) return null
  const object = readObject(start)
  const shown = isShown(object ?? null) || isShown(file.graph.get(number))
  if (kind === 'embedded') {
    if (!shown || !offsetsHold || !isPlainStream(file, within)) return null
    return found('An object that the document uses stands once more in a stream.', false)
  }
  if (kind === 'commented') {
    return found('An object that the document uses stands in a comment.', shown || wanted)
  }
  if (kind === 'unended') {
    if (!isLiveAt(file, number, start) || !shown) return null
    return isCommentedEnd(file, number)
      ? found('The end of an object stands in a comment.', true)
      : found('An object has no end of its own.', false)
  }
  if (!offsetsHold) return null
  // What stands behind the last section is told by the rules on updates and on the end of the file.
  if (start >= sectionsEnd) return null
  if (wanted) {
    return found('The pages use an object that the cross-reference hides.', true)
  }
  if (isLiveAt(file, number, start)) return null
  if (!isInRevisionOfLive(file, number, start)) return null
  if (object !== undefined && isSame(object, file.graph.get(number))) return null
  return found('An object stands twice in one save, and only one of the two is listed.', shown)
}

/** A file within this one has objects of its own. */
function isPlainStream(file: PdfFile, number: number | null): boolean {
  const stream = number === null ? null : file.graph.get(number)
  if (!(stream instanceof PdfStream) || stream.dictionary.has('Filter')) return false
  return (
    !isName(stream.dictionary.get('Type'), 'EmbeddedFile') && !standsAt(stream.data, 0, '%PDF-')
  )
}

/** `5 0 OBJ`. */
function isOddHeader(bytes: Uint8Array, start: number): boolean {
  const text = Buffer.from(bytes.subarray(start, start + 32)).toString('latin1')
  const keyword = /^\d+\s+\d+\s+(obj)/i.exec(text)?.[1]
  return keyword !== undefined && keyword !== 'obj'
}

function isLiveAt(file: PdfFile, number: number, start: number): boolean {
  const provenance = file.provenance(number)
  return provenance?.kind === 'offset' && provenance.start === start
}

/** An older copy that a section outside of the chain may list is what updates leave behind. */
function isInRevisionOfLive(file: PdfFile, number: number, start: number): boolean {
  const own = file.provenance(number)
  const live = own?.kind === 'compressed' ? file.provenance(own.objectStream) : own
  if (live?.kind !== 'offset') return true
  return start > live.start || revisionAt(file, start) === revisionAt(file, live.start)
}

/** Index of the revision in whose bytes the offset lies. */
function revisionAt({ revisions }: PdfFile, offset: number): number {
  let low = 0
  let high = revisions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((revisions[middle]?.end ?? Infinity) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

function isCommentedEnd(file: PdfFile, number: number): boolean {
  const provenance = file.provenance(number)
  if (provenance?.kind !== 'offset') return false
  const { bytes } = file
  for (let at = provenance.end; at < bytes.length && at < provenance.end + 64; at++) {
    if (bytes[at] === 0x25) return standsAt(bytes, at + 1, 'endobj')
  }
  return false
}

/** Entries that lead nowhere, while the object stands elsewhere: readers that do not scan do without it. */
function lostObjects({ redirectedEntries }: TamperEvidence): Confusion[] {
  return redirectedEntries
    .filter(({ leadsToObject, drawable }) => !leadsToObject && drawable)
    .map(({ number, entry }) => ({
      start: entry.offset,
      description: 'A cross-reference entry leads to no object; the object stands elsewhere.',
      grave: false,
      object: { number, generation: entry.generation },
      crossReferenceEntry: entry.entryOffset,
    }))
}

function endOfSections({ sections, bytes }: PdfFile): number {
  let end = 0
  for (const section of sections) end = Math.max(end, section.end)
  return sections.length === 0 ? bytes.length : end
}
