import { readObjectHeader } from '../pdf/reading/indirect-object.ts'
import type { CrossReferenceEntry, CrossReferenceSection, PdfFile } from '../pdf/pdf-file.ts'
import { isShown } from './shown-object.ts'

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

/** Entries that look redirected on purpose. A tool that counted badly has most of them wrong. */
export function redirectedEntries(file: PdfFile): RedirectedEntry[] {
  const redirected: RedirectedEntry[] = []
  for (const [section, mismatched] of Map.groupBy(
    file.repairs.mismatchedEntries,
    (mismatch) => mismatch.section,
  )) {
    if (isMiscounted(section, mismatched.length)) continue
    for (const { number, entry } of mismatched) {
      if (entry.kind !== 'offset') continue
      const header = readObjectHeader(file.bytes, entry.offset)
      const other = header === null || header.number === number ? null : header.number
      const drawable = [number, other].some(
        (candidate) => candidate !== null && isShown(file.graph.get(candidate)),
      )
      redirected.push({ number, entry, section, leadsToObject: other !== null, drawable })
    }
  }
  return redirected
}

/** Fewer wrong entries than this may be meant. */
const fewestMiscounted = 3

function isMiscounted({ entries }: CrossReferenceSection, wrong: number): boolean {
  if (wrong < fewestMiscounted) return false
  let inUse = 0
  for (const { kind } of entries.values()) if (kind === 'offset') inUse++
  return wrong * 2 > inUse
}
