import { isDigit, skipEndOfLine, skipWhiteSpace, standsAt } from './character-set.ts'
import { readSection, type SectionInProgress } from './cross-reference.ts'
import type { ReadingContext } from './indirect-object.ts'
import { PdfDictionary } from '../object.ts'
import type { Revision } from '../pdf-file.ts'

export interface RevisionSource {
  readonly context: ReadingContext
  readonly sections: readonly SectionInProgress[]
  readonly base: number
  /** What `/L` of an intact linearization dictionary says; null if there is none. */
  readonly linearizedLength: number | null
  /** Whether the data of a stream stands at this offset. */
  readonly isInStream: (offset: number) => boolean
}

/**
 * Divides the file into what each save appended, oldest first, and tells each section its revision. A revision ends
 * just past its `%%EOF` and one end-of-line (ISO 32000-2, 7.5.6); the two sections of a linearized file are one.
 */
export function findRevisions(source: RevisionSource): Revision[] {
  const { context, sections } = source
  const endings = findEndings(source)
  const byOffset = new Map<number, SectionInProgress>()
  for (const section of sections.toReversed()) {
    if (!section.hybrid) byOffset.set(section.offset, section)
  }
  const lastSections = endings.map(({ startxref }) => {
    const { bytes } = context
    return byOffset.get(skipWhiteSpace(bytes, startxref + source.base, bytes.length)) ?? null
  })

  const revisions: Revision[] = []
  let start = 0
  for (const [index, ending] of endings.entries()) {
    const section = lastSections[index]
    revisions.push({
      index,
      start,
      end: ending.end,
      crossReferenceOffset: section ? ending.startxref : null,
      trailer: section?.trailer ?? trailerAt(context, ending.startxref, source.base),
    })
    start = ending.end
  }
  if (revisions.length === 0) {
    // Without any %%EOF what was saved ends with the bytes.
    revisions.push({
      index: 0,
      start: 0,
      end: context.bytes.length,
      crossReferenceOffset: null,
      trailer: sections[0]?.trailer ?? new PdfDictionary(),
    })
  }

  for (const section of sections) {
    const anchor = section.hybridOf ?? section
    section.revision = revisionAt(revisions, anchor.offset)
  }
  return revisions
}

interface Ending {
  readonly startxref: number
  readonly end: number
}

/** Each `startxref <n> %%EOF` outside of streams that ends a save. */
function findEndings(source: RevisionSource): Ending[] {
  const { context, linearizedLength, sections, base } = source
  const { bytes } = context
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chained = new Set(sections.map((section) => section.offset))
  const endings: Ending[] = []

  for (
    let at = buffer.indexOf('startxref', 0, 'latin1');
    at >= 0;
    at = buffer.indexOf('startxref', at + 9, 'latin1')
  ) {
    const ending = endingAt(bytes, at)
    if (ending === null) continue
    const target = skipWhiteSpace(bytes, ending.startxref + base, bytes.length)
    const isChained = chained.has(target) && target < at
    if (!isChained && source.isInStream(at)) continue

    const previous = endings.at(-1)
    if (previous !== undefined && previous.startxref === ending.startxref) {
      // The same section announced again is no further save.
      endings[endings.length - 1] = ending
      continue
    }
    endings.push(ending)
  }
  if (linearizedLength === null) return endings

  // All that ends up to /L of a linearized file is one save (annex F); an end-of-line may stand behind it.
  const updates = endings.filter(({ end }) => end > linearizedLength + 2)
  const first = endings.findLast(({ end }) => end <= linearizedLength + 2)
  return first === undefined ? updates : [first, ...updates]
}

function endingAt(bytes: Uint8Array, startxrefAt: number): Ending | null {
  let at = skipWhiteSpace(bytes, startxrefAt + 9, bytes.length)
  let startxref = 0
  const digits = at
  for (; isDigit(bytes[at]); at++) startxref = startxref * 10 + (bytes[at] ?? 0) - 0x30
  if (at === digits) return null
  at = skipWhiteSpace(bytes, at, bytes.length)
  if (!standsAt(bytes, at, '%%EOF')) return null
  return { startxref, end: skipEndOfLine(bytes, at + 5) }
}

/** The index of the first that ends behind the offset; of the last if none does. */
function revisionAt(revisions: readonly Revision[], offset: number): number {
  let low = 0
  let high = revisions.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (offset < (revisions[middle]?.end ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}

function trailerAt(context: ReadingContext, startxref: number, base: number): PdfDictionary {
  return readSection(context, startxref + base, null)?.trailer ?? new PdfDictionary()
}
