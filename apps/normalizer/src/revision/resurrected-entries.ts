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
  const { sections, revisions, repairs } = file
  // With a part of the chain missing, nothing can be said of what was listed.
  if (repairs.brokenChain || revisions.length < 2) return []
  const oldestFirst = sections.toReversed().toSorted((a, b) => a.revision - b.revision)
  if (oldestFirst[0]?.revision !== 0) return []

  const places = new KnownPlaces(file.header.offset ?? 0)
  const found: ResurrectedEntry[] = []
  for (const section of oldestFirst) {
    places.moveStreams(section)
    const start = revisions[section.revision]?.start ?? 0
    for (const [number, entry] of section.entries) {
      if (entry.kind === 'free' || !places.isNew(number, entry)) continue
      if (section.revision === 0 || !places.liesBefore(entry, start)) continue
      // Entries that lead to another object are told apart: they are redirected.
      if (entry.kind === 'offset' && readObjectHeader(file.bytes, entry.offset)?.number !== number)
        continue
      found.push({ number, entry, section })
    }
  }
  return found
}

/** Where each number has been up to some section. */
class KnownPlaces {
  /** Offsets of superseded entries may still be counted from the header. */
  readonly #headerOffset: number
  readonly #places = new Set<string>()
  readonly #streams = new Map<number, number>()

  constructor(headerOffset: number) {
    this.#headerOffset = headerOffset
  }

  moveStreams({ entries }: CrossReferenceSection): void {
    for (const [number, entry] of entries)
      if (entry.kind === 'offset') this.#streams.set(number, entry.offset)
  }

  isNew(number: number, entry: UsedEntry): boolean {
    const place =
      entry.kind === 'offset' ? `${number} ${entry.offset}` : `${number} in ${entry.objectStream}`
    if (this.#places.has(place)) return false
    this.#places.add(place)
    if (entry.kind === 'offset' && this.#headerOffset > 0)
      this.#places.add(`${number} ${entry.offset + this.#headerOffset}`)
    return true
  }

  liesBefore(entry: UsedEntry, start: number): boolean {
    if (entry.kind === 'offset') return entry.offset < start
    return (this.#streams.get(entry.objectStream) ?? Infinity) < start
  }
}
