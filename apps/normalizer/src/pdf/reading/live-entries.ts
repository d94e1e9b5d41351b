import { isDigit, isWhiteSpace, standsAt } from './character-set.ts'
import type { SectionInProgress } from './cross-reference.ts'
import type { LiveEntry } from './lazy-object-graph.ts'
import type { StructuralRepairs } from '../pdf-file.ts'

export interface MergedSections {
  readonly live: Map<number, LiveEntry>
  /** Numbers that the newest section which names them calls free. */
  readonly freed: ReadonlyMap<number, SectionInProgress>
}

/** Newer sections hide older ones; a hybrid file's stream fills what its table calls free (7.5.8.4). */
export function mergeSections(sections: readonly SectionInProgress[]): MergedSections {
  const live = new Map<number, LiveEntry>()
  const freed = new Map<number, SectionInProgress>()
  for (const section of sections) {
    for (const [number, entry] of section.entries) {
      if (live.has(number)) continue
      const freedBy = freed.get(number)
      if (freedBy !== undefined && freedBy !== section.hybridOf) continue

      if (entry.kind === 'free') {
        freed.set(number, section)
      } else {
        freed.delete(number)
        live.set(number, { entry, section })
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
  live: Map<number, LiveEntry>,
  headerOffset: number,
  base: number,
): MismatchedEntry[] {
  const shifts = headerOffset === 0 ? [0] : base === 0 ? [0, headerOffset] : [headerOffset, 0]
  const mismatched: MismatchedEntry[] = []
  for (const [number, { entry, section }] of live) {
    if (entry.kind !== 'offset' || section === null) continue
    const shift = shifts.find((candidate) => standsObject(bytes, entry.offset + candidate, number))
    if (shift === 0) continue
    if (shift === undefined) {
      mismatched.push({ number, entry, section })
      live.delete(number)
      continue
    }
    const corrected = { ...entry, offset: entry.offset + shift }
    section.entries.set(number, corrected)
    live.set(number, { entry: corrected, section })
  }
  return mismatched
}

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
