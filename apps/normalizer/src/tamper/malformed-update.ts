import { skipWhiteSpace } from '../pdf/reading/character-set.ts'
import type { CrossReferenceSection, PdfFile, Revision } from '../pdf/pdf-file.ts'
import { holdsSection } from './end-of-file.ts'

/** An update that lacks one of its parts, or whose sections are chained as no writer chains them (rule I3). */
export interface MalformedUpdate {
  readonly description: string
  /** Index of the revision. */
  readonly revision: number
}

/**
 * Attacks on signatures leave out the parts of an update that would make a verifier notice it (USF and incremental
 * saving attacks). Offsets that are merely wrong, and in every save, are left to the repair of the file.
 */
export function malformedUpdates(file: PdfFile, signed: boolean): MalformedUpdate[] {
  const main = file.sections.filter(({ hybrid }) => !hybrid)
  const updated = file.revisions.length > 1 || main.length > 1
  if (!updated) return []
  return [
    ...withoutSection(file, main, signed),
    ...withoutTrailer(file, main),
    ...withoutEnd(file, main, signed),
    ...oddChain(file, main),
  ]
}

/**
 * The last save announces a section where none is, while an earlier one does not. That it has one which merely stands
 * elsewhere is what a change in the middle of a file leaves behind; far off it is damage where nobody signed the file and
 * the section leads back to the save before, as no second one does that is to stand for itself.
 */
function withoutSection(
  { revisions, bytes }: PdfFile,
  main: readonly CrossReferenceSection[],
  signed: boolean,
): MalformedUpdate[] {
  const last = revisions.at(-1)
  const before = revisions.slice(0, -1)
  const soundBefore = before.some(({ trailer }) => trailer.size > 0)
  if (main.length > 0 || last === undefined || last.trailer.size > 0 || !soundBefore) return []
  const bytesOf = ({ start, end }: Revision): Buffer =>
    Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
  const save = bytesOf(last)
  const announced = announcedBy(save)
  const isNear = announced > 0 && announced < bytes.length
  if (isNear && holdsSection(save)) return []
  const previous = new Set(before.map((revision) => announcedBy(bytesOf(revision))))
  if (!signed && holdsSection(save) && leadsBack(save, previous)) return []
  return [{ description: 'An update has no cross-reference section.', revision: last.index }]
}

/** What the last `startxref` of a save says; -1 if it says nothing. */
function announcedBy(save: Buffer): number {
  const at = save.lastIndexOf('startxref', undefined, 'latin1')
  const digits = /^startxref\s+(\d{1,15})/.exec(save.toString('latin1', at, at + 64))?.[1]
  return digits === undefined ? -1 : Number(digits)
}

/** Whether a trailer in the save has a `/Prev` that is one of these. */
function leadsBack(save: Buffer, offsets: ReadonlySet<number>): boolean {
  for (
    let at = save.indexOf('/Prev', 0, 'latin1');
    at >= 0;
    at = save.indexOf('/Prev', at + 5, 'latin1')
  ) {
    const digits = /^\/Prev\s+(\d{1,15})/.exec(save.toString('latin1', at, at + 64))?.[1]
    if (digits !== undefined && offsets.has(Number(digits))) return true
  }
  return false
}

function withoutTrailer(
  { revisions }: PdfFile,
  main: readonly CrossReferenceSection[],
): MalformedUpdate[] {
  if (revisions.length < 2) return []
  return main
    .filter(({ kind, trailer }) => kind === 'table' && trailer.size === 0)
    .map(({ revision }) => ({ description: 'An update has no trailer.', revision }))
}

/** A section that no `startxref` with an `%%EOF` behind it announces, and objects of a later save behind it. */
function withoutEnd(
  file: PdfFile,
  main: readonly CrossReferenceSection[],
  signed: boolean,
): MalformedUpdate[] {
  if (main.length < 2) return []
  const announced = new Set<number>()
  for (const { crossReferenceOffset } of file.revisions) {
    if (crossReferenceOffset === null) continue
    for (const base of [0, file.header.offset ?? 0]) {
      announced.add(skipWhiteSpace(file.bytes, crossReferenceOffset + base, file.bytes.length))
    }
  }
  const sections = new Set(file.sections.map(({ offset }) => offset))
  const missing = main.find((section, index) => {
    if (announced.has(section.offset) || isLinearized(file, main, section)) return false
    const later = main[index - 1]
    // That the last lines of a file are missing is an accident where nobody signed it.
    return later === undefined ? signed : hasObjectBehind(later, section.end, sections)
  })
  if (missing === undefined) return []
  return [
    { description: 'A save within the file has no end of its own.', revision: missing.revision },
  ]
}

function hasObjectBehind(
  { entries }: CrossReferenceSection,
  end: number,
  sections: ReadonlySet<number>,
): boolean {
  for (const entry of entries.values()) {
    if (entry.kind === 'offset' && entry.offset >= end && !sections.has(entry.offset)) return true
  }
  return false
}

/** `/Prev` that leads forward, out of the file or in a circle. */
function oddChain(file: PdfFile, main: readonly CrossReferenceSection[]): MalformedUpdate[] {
  if (file.revisions.length < 2) return []
  const offsets = new Set(main.map(({ offset }) => offset))
  const found: MalformedUpdate[] = []
  for (const [index, section] of main.entries()) {
    const previous = section.trailer.get('Prev')
    if (typeof previous !== 'number' || previous <= 0) continue
    const tell = (where: string): void => {
      const description = `The cross-reference section of an update leads ${where}.`
      found.push({ description, revision: section.revision })
    }
    const next = main[index + 1]
    if (next !== undefined) {
      if (next.offset > section.offset && !isLinearized(file, main, section)) tell('forward')
      continue
    }
    const { bytes, header } = file
    if (previous >= bytes.length) tell('out of the file')
    const targets = [previous, previous + (header.offset ?? 0)]
    const again = targets.some((target) => offsets.has(skipWhiteSpace(bytes, target, bytes.length)))
    if (again) tell('in a circle')
  }
  return found
}

/** The two sections of a linearized file (ISO 32000-2, annex F) are one save, and the first leads forward. */
function isLinearized(
  { linearization }: PdfFile,
  main: readonly CrossReferenceSection[],
  section: CrossReferenceSection,
): boolean {
  return linearization !== null && main.slice(-2).includes(section)
}
