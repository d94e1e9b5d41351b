import type { CrossReferenceEntry } from '../pdf/pdf-file.ts'
import type { Confusion } from './confusion.ts'
import { objectLocation } from './object-location.ts'
import { isShown } from './shown-object.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** Objects that readers look for in different places, by what the sections say of them (rule S3). */
export function sectionConfusion(evidence: TamperEvidence): Confusion[] {
  return [...twoPlaces(evidence), ...beyondSize(evidence)]
}

/**
 * Objects that the table and the stream of a hybrid file both define, in different places: readers that know
 * cross-reference streams may take the other one (ISO 32000-2, 7.5.8.4).
 */
function twoPlaces({ file, parts }: TamperEvidence): Confusion[] {
  const found: Confusion[] = []
  for (const [index, section] of file.sections.entries()) {
    // A stream that a table leads to comes right behind it.
    const table = section.hybrid ? file.sections[index - 1] : undefined
    // Writers of updates carry the entry along that leads to the stream of an earlier save.
    const saved = table && file.revisions[table.revision]
    if (table === undefined || saved === undefined || section.offset < saved.start) continue
    for (const [number, entry] of section.entries) {
      const other = table.entries.get(number)
      if (other?.kind !== 'offset' || entry.kind === 'free' || isSamePlace(entry, other)) continue
      found.push({
        start: other.offset,
        object: { number, generation: other.generation },
        crossReferenceEntry: other.entryOffset,
        description: 'The table and the stream of a hybrid file put one object in two places.',
        grave: parts.structure.has(number) || isShown(file.graph.get(number)),
      })
    }
  }
  return found
}

/** 7.5.5: an object whose number is not below `/Size` counts as missing. Most readers show it all the same. */
function beyondSize({ file, parts }: TamperEvidence): Confusion[] {
  const size = file.sections[0]?.trailer.get('Size')
  if (typeof size !== 'number') return []
  const description = 'The pages use an object beyond the number of objects that the file declares.'
  return [...parts.structure, ...parts.streams].flatMap(([number, page]) => {
    const location = number < size ? null : objectLocation(file, number)
    return location === null ? [] : [{ ...location, page, description, grave: false }]
  })
}

function isSamePlace(one: CrossReferenceEntry, other: CrossReferenceEntry): boolean {
  return one.kind === 'offset' && other.kind === 'offset' && one.offset === other.offset
}
