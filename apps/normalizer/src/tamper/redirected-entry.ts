import { readObjectHeader } from '../pdf/reading/indirect-object.ts'
import type { CrossReferenceEntry, CrossReferenceSection, PdfFile } from '../pdf/pdf-file.ts'
import { isShown, type PageParts } from './shown-object.ts'

/**
 * A cross-reference entry whose offset does not hold the object that it names (XREF_MISMATCH), in a section whose other
 * entries are right.
 */
export interface RedirectedEntry {
  readonly number: number
  readonly entry: CrossReferenceEntry & { readonly kind: 'offset' }
  readonly section: CrossReferenceSection
  /**
   * Whether another whole object stands there: a reader that does not look at the number takes that for the one that
   * the entry names. Else the object is lost to a reader that does not scan.
   */
  readonly leadsToObject: boolean
  /** Whether one of the two is of a kind that pages show. */
  readonly drawable: boolean
}

/** Entries that look redirected on purpose. */
export function redirectedEntries(file: PdfFile, parts: PageParts): RedirectedEntry[] {
  const redirected: RedirectedEntry[] = []
  const isUsed = (number: number): boolean =>
    parts.structure.has(number) || parts.streams.has(number)
  for (const [section, mismatched] of Map.groupBy(
    file.repairs.mismatchedEntries,
    (mismatch) => mismatch.section,
  )) {
    if (isMiscounted(section, mismatched)) continue
    for (const { number, entry } of mismatched) {
      if (entry.kind !== 'offset') continue
      const header = readObjectHeader(file.bytes, entry.offset)
      const other = header === null || header.number === number ? null : header.number
      const drawable = [number, other].some(
        (candidate) =>
          candidate !== null && (isUsed(candidate) || isShown(file.graph.get(candidate))),
      )
      redirected.push({ number, entry, section, leadsToObject: other !== null, drawable })
    }
  }
  return redirected
}

/** Fewer wrong entries than this may be meant. */
const fewestMiscounted = 3

/** A tool that counted badly has most entries wrong; a change in the middle of a file has all wrong from there on. */
function isMiscounted(
  { entries }: CrossReferenceSection,
  mismatched: PdfFile['repairs']['mismatchedEntries'],
): boolean {
  if (mismatched.length < fewestMiscounted) return false
  let firstWrong = Infinity
  const wrong = new Set(mismatched.map(({ number }) => number))
  for (const { entry } of mismatched) {
    if (entry.kind === 'offset') firstWrong = Math.min(firstWrong, entry.offset)
  }
  let inUse = 0
  let rightBehind = 0
  for (const [number, entry] of entries) {
    if (entry.kind !== 'offset') continue
    inUse++
    if (entry.offset > firstWrong && !wrong.has(number)) rightBehind++
  }
  return mismatched.length * 2 > inUse || rightBehind === 0
}
