import { isDigit, isWhiteSpace, standsAt } from './character-set.ts'
import type { SectionInProgress } from './cross-reference.ts'
import { type EntryTable, EntryType } from './entry-table.ts'
import type { CrossReferenceEntry, StructuralRepairs } from '../pdf-file.ts'

/** Where a live object stands, and which section said so (null: found by scanning). */
export interface LiveEntry {
  readonly entry: Exclude<CrossReferenceEntry, { kind: 'free' }>
  readonly section: SectionInProgress | null
}

interface Source {
  readonly entries: EntryTable
  readonly section: SectionInProgress | null
}

/** The entry that counts for each number: which table has it, and at which slot. */
export class LiveEntries {
  /** Below this, numbers are so close to each other that what belongs to them may lie in arrays by number. */
  readonly denseEnd: number
  readonly #sources: readonly Source[]
  /** By number, one more than the index of the source; 0 for numbers without a live entry. */
  readonly #sourceOf: Int32Array
  readonly #slotOf: Int32Array
  readonly #sparse = new Map<number, { source: number; slot: number }>()

  constructor(sources: readonly Source[]) {
    this.#sources = sources
    let highest = 0
    let count = 0
    for (const { entries } of sources) {
      count += entries.size
      for (const number of entries.keys()) highest = Math.max(highest, number)
    }
    this.denseEnd = Math.min(highest + 1, 4 * count + 1_024)
    this.#sourceOf = new Int32Array(this.denseEnd)
    this.#slotOf = new Int32Array(this.denseEnd)
  }

  has(number: number): boolean {
    return number < this.denseEnd
      ? (this.#sourceOf[number] ?? 0) > 0
      : this.#sparse.size > 0 && this.#sparse.has(number)
  }

  get(number: number): LiveEntry | undefined {
    const place = this.#place(number)
    if (place === undefined) return undefined
    const { entries, section } = this.#sources[place.source] as Source
    const entry = entries.entryAt(place.slot)
    return entry.kind === 'free' ? undefined : { entry, section }
  }

  /** 0 for what stands in an object stream (7.5.7), and for numbers without an entry. */
  generation(number: number): number {
    const place = this.#place(number)
    return place === undefined
      ? 0
      : (this.#sources[place.source]?.entries.generationAt(place.slot) ?? 0)
  }

  /** @param source index into what was given to the constructor */
  set(number: number, source: number, slot: number): void {
    if (number >= this.denseEnd) this.#sparse.set(number, { source, slot })
    else {
      this.#sourceOf[number] = source + 1
      this.#slotOf[number] = slot
    }
  }

  delete(number: number): void {
    if (number >= this.denseEnd) this.#sparse.delete(number)
    else this.#sourceOf[number] = 0
  }

  /** These, and for wanted numbers without an entry what scanning found; the last one of a number counts. */
  withScanned(scanned: EntryTable, wanted: (number: number) => boolean): LiveEntries {
    const both = new LiveEntries([...this.#sources, { entries: scanned, section: null }])
    for (const number of this.numbers()) {
      const place = this.#place(number)
      if (place) both.set(number, place.source, place.slot)
    }
    for (let slot = 0; slot < scanned.size; slot += 1) {
      const number = scanned.numberAt(slot)
      if (!this.has(number) && wanted(number)) both.set(number, this.#sources.length, slot)
    }
    return both
  }

  /** In ascending order. */
  *numbers(): Iterable<number> {
    for (let number = 0; number < this.denseEnd; number += 1) {
      if ((this.#sourceOf[number] ?? 0) > 0) yield number
    }
    yield* [...this.#sparse.keys()].sort((a, b) => a - b)
  }

  /** Those from `denseEnd` on. */
  sparseNumbers(): Iterable<number> {
    return this.#sparse.keys()
  }

  #place(number: number): { source: number; slot: number } | undefined {
    if (number >= this.denseEnd) return this.#sparse.get(number)
    const source = (this.#sourceOf[number] ?? 0) - 1
    return source < 0 ? undefined : { source, slot: this.#slotOf[number] ?? 0 }
  }
}

export interface MergedSections {
  readonly live: LiveEntries
  /** Numbers that the newest section which names them calls free. */
  readonly freed: ReadonlyMap<number, SectionInProgress>
}

/** Newer sections hide older ones; a hybrid file's stream fills what its table calls free (7.5.8.4). */
export function mergeSections(sections: readonly SectionInProgress[]): MergedSections {
  const sources = sections.map((section) => ({ entries: section.entries, section }))
  const live = new LiveEntries(sources)
  const freed = new Map<number, SectionInProgress>()
  for (const [source, { entries, section }] of sources.entries()) {
    for (let slot = 0; slot < entries.size; slot += 1) {
      const number = entries.numberAt(slot)
      if (live.has(number)) continue
      const freedBy = freed.size === 0 ? undefined : freed.get(number)
      if (freedBy !== undefined && freedBy !== section.hybridOf) continue

      if (entries.typeAt(slot) === EntryType.free) {
        freed.set(number, section)
      } else {
        freed.delete(number)
        live.set(number, source, slot)
      }
    }
  }
  return { live, freed }
}

type MismatchedEntry = StructuralRepairs['mismatchedEntries'][number]

/**
 * Corrects offsets that are counted from the header, and takes out the entries whose object is not there.
 *
 * @param base what the offset of the newest section had to be raised by
 */
export function locateEntries(
  bytes: Uint8Array,
  live: LiveEntries,
  headerOffset: number,
  base: number,
): MismatchedEntry[] {
  const shifts = headerOffset === 0 ? [0] : base === 0 ? [0, headerOffset] : [headerOffset, 0]
  const mismatched: MismatchedEntry[] = []
  for (const number of live.numbers()) {
    const { entry, section } = live.get(number) ?? nothing
    if (entry?.kind !== 'offset' || section === null) continue
    const shift = shifts.find((candidate) => standsObject(bytes, entry.offset + candidate, number))
    if (shift === 0) continue
    if (shift === undefined) {
      mismatched.push({ number, entry, section })
      live.delete(number)
      continue
    }
    section.entries.setOffset(section.entries.slotOf(number), entry.offset + shift)
  }
  return mismatched
}

const nothing = { entry: null, section: null }

/** Whether `N G obj` with this number stands here, without making anything of it: asked for every entry. */
function standsObject(bytes: Uint8Array, offset: number, number: number): boolean {
  let at = offset
  while (isWhiteSpace(bytes[at])) at++
  const start = at
  let value = 0
  for (; isDigit(bytes[at]) && at - start < 11; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
  if (at === start || value !== number || !isWhiteSpace(bytes[at])) return false
  // An offset into the middle of a number would find another one.
  if (start === offset && isDigit(bytes[offset - 1])) return false
  while (isWhiteSpace(bytes[at])) at++
  if (!isDigit(bytes[at])) return false
  while (isDigit(bytes[at])) at++
  while (isWhiteSpace(bytes[at])) at++
  return standsAt(bytes, at, 'obj')
}
