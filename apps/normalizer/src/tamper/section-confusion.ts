import type { CrossReferenceEntry } from '../pdf/pdf-file.ts'
import type { Confusion } from './confusion.ts'
import { isShown } from './shown-object.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * Objects that the table and the stream of a hybrid file both define, in different places: readers that know
 * cross-reference streams may take the other one (rule S3; ISO 32000-2, 7.5.8.4).
 */
export function sectionConfusion({ file, parts }: TamperEvidence): Confusion[] {
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

function isSamePlace(one: CrossReferenceEntry, other: CrossReferenceEntry): boolean {
  return one.kind === 'offset' && other.kind === 'offset' && one.offset === other.offset
}
