import { skipWhiteSpace } from '../pdf/reading/character-set.ts'
import { readObjectHeader } from '../pdf/reading/indirect-object.ts'
import type { CrossReferenceEntry, CrossReferenceSection, PdfFile } from '../pdf/pdf-file.ts'

/** An entry of an update that leads into bytes of an earlier save where its number had never been. */
export interface ResurrectedEntry {
  readonly number: number
  readonly entry: UsedEntry
  readonly section: CrossReferenceSection
}

type UsedEntry = Exclude<CrossReferenceEntry, { kind: 'free' }>

/**
 * Objects that lay in the file unseen until an update named them (RESURRECTED). An update that lists all entries anew,
 * or goes back to what an object was before, leads to places that are known.
 */
export function resurrectedEntries(file: PdfFile): ResurrectedEntry[] {
  const { bytes, sections, revisions, repairs } = file
  // With a part of the chain missing, nothing can be said of what was listed.
  if (repairs.brokenChain || revisions.length < 2) return []
  const oldestFirst = sections.toReversed().toSorted((a, b) => a.revision - b.revision)
  if (oldestFirst[0]?.revision !== 0) return []

  const suspects = entriesIntoEarlierBytes(file, oldestFirst)
  if (suspects.length === 0) return []
  const firstNamed = firstRevisionsOfPlaces(oldestFirst, suspects)
  // Offsets of superseded entries may still be counted from the header.
  const shifts = new Set([0, file.header.offset ?? 0])
  return suspects.filter(({ number, entry, section }) => {
    const known = [...shifts].some(
      (shift) => (firstNamed.get(placeOf(number, entry, shift)) ?? Infinity) < section.revision,
    )
    // Entries that lead to another object are redirected, which is told apart.
    const holds =
      entry.kind !== 'offset' || readObjectHeader(bytes, entry.offset)?.number === number
    return !known && holds
  })
}

function entriesIntoEarlierBytes(
  { bytes, revisions }: PdfFile,
  oldestFirst: readonly CrossReferenceSection[],
): ResurrectedEntry[] {
  const offsets = new Map<number, number>()
  const found: ResurrectedEntry[] = []
  for (const section of oldestFirst) {
    for (const [number, entry] of section.entries)
      if (entry.kind === 'offset') offsets.set(number, entry.offset)
    if (section.revision === 0) continue
    const start = revisions[section.revision]?.start ?? 0
    for (const [number, entry] of section.entries) {
      if (entry.kind === 'free') continue
      // What stands in an object stream is where that stream is.
      const offset = entry.kind === 'offset' ? entry.offset : offsets.get(entry.objectStream)
      if (offset === undefined || offset >= start) continue
      // An entry may lead to the white space before its object.
      if (skipWhiteSpace(bytes, offset, start) < start) found.push({ number, entry, section })
    }
  }
  return found
}

/** The first revision that named each place, of the numbers in question. */
function firstRevisionsOfPlaces(
  oldestFirst: readonly CrossReferenceSection[],
  suspects: readonly ResurrectedEntry[],
): Map<string, number> {
  const numbers = new Set(suspects.map(({ number }) => number))
  const first = new Map<string, number>()
  for (const { entries, revision } of oldestFirst) {
    for (const [number, entry] of entries) {
      if (entry.kind === 'free' || !numbers.has(number)) continue
      const place = placeOf(number, entry, 0)
      if (!first.has(place)) first.set(place, revision)
    }
  }
  return first
}

function placeOf(number: number, entry: UsedEntry, shift: number): string {
  if (entry.kind === 'compressed') return `${number} in ${entry.objectStream}`
  return `${number} at ${entry.offset - shift}`
}
