import { isDigit, skipWhiteSpace, standsAt } from './character-set.ts'
import { decodeStreamPartly } from '../filter/decode-stream.ts'
import { readIndirectObject, type ReadingContext } from './indirect-object.ts'
import { Lexer } from './lexer.ts'
import {
  MAX_OBJECT_NUMBER,
  PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfObject,
} from '../object.ts'
import { parseObject } from './object-parser.ts'
import { EntryTable, EntryType } from './entry-table.ts'
import type { CrossReferenceSection } from '../pdf-file.ts'
import { type ReadLimits, ResourceLimitError } from './read-limits.ts'

/** A section while the file is being read: its revision is not known at once, and its offsets may be corrected. */
export interface SectionInProgress extends Omit<CrossReferenceSection, 'revision' | 'entries'> {
  revision: number
  readonly entries: EntryTable
  /** The table whose `/XRefStm` led here. */
  readonly hybridOf: SectionInProgress | null
}

export interface CrossReferenceChain {
  /** Newest first; a stream reached through `/XRefStm` comes right behind its table. */
  readonly sections: readonly SectionInProgress[]
  /** What the last `startxref` says; null if there is none. */
  readonly startxref: number | null
  /** What must be added to the offsets in the file: 0 or the offset of the header. */
  readonly base: number
  /** A section was reached twice, or a `/Prev` or `/XRefStm` leads nowhere. */
  readonly broken: boolean
  readonly missingTrailer: boolean
}

/**
 * Follows `startxref`, `/Prev` and `/XRefStm` (ISO 32000-2, 7.5.4, 7.5.5, 7.5.8).
 *
 * @throws {ResourceLimitError}
 */
export function readCrossReferenceChain(
  context: ReadingContext,
  headerOffset: number,
  limits: ReadLimits,
): CrossReferenceChain {
  const { bytes } = context
  const startxref = lastStartxref(bytes)
  const sections: SectionInProgress[] = []
  if (startxref === null) {
    return { sections, startxref, base: 0, broken: false, missingTrailer: false }
  }

  const base = headerOffset > 0 && !sectionStandsAt(bytes, startxref) ? headerOffset : 0
  const visited = new Set<number>()
  let entries = 0
  let broken = false
  let missingTrailer = false
  let next: number | null = startxref + base

  while (next !== null) {
    if (visited.has(next)) {
      broken = true
      break
    }
    visited.add(next)
    if (visited.size > limits.maxSections) {
      throw new ResourceLimitError(
        `There are more than ${limits.maxSections} cross-reference sections`,
      )
    }

    const section = readSection(context, next, null)
    if (section === null) {
      broken = true
      break
    }
    sections.push(section)
    entries += section.entries.size

    const hybridOffset = offsetIn(section.trailer, 'XRefStm')
    // Each table of an updated hybrid file may name the same stream again.
    if (section.kind === 'table' && hybridOffset !== null && !visited.has(hybridOffset + base)) {
      visited.add(hybridOffset + base)
      const hybrid = readSection(context, hybridOffset + base, section)
      if (hybrid === null) {
        broken = true
      } else {
        sections.push(hybrid)
        entries += hybrid.entries.size
      }
    }
    if (entries > limits.maxObjects) {
      throw tooManyObjects(limits.maxObjects)
    }

    missingTrailer ||= section.kind === 'table' && section.trailer.size === 0
    const previous = offsetIn(section.trailer, 'Prev')
    // Some writers put /Prev 0 into their first section.
    next = previous === null || previous === 0 ? null : previous + base
  }
  return { sections, startxref, base, broken, missingTrailer }
}

/** The section that begins at this offset, read alone; null if there is none. @throws {ResourceLimitError} */
export function readSection(
  context: ReadingContext,
  offset: number,
  hybridOf: SectionInProgress | null,
): SectionInProgress | null {
  const { bytes } = context
  if (offset < 0 || offset >= bytes.length) return null
  const start = skipWhiteSpace(bytes, offset, bytes.length)
  if (standsAt(bytes, start, 'xref')) return readTable(context, start)
  if (isDigit(bytes[start])) return readCrossReferenceStream(context, start, hybridOf)
  return null
}

function sectionStandsAt(bytes: Uint8Array, offset: number): boolean {
  if (offset >= bytes.length) return false
  const start = skipWhiteSpace(bytes, offset, bytes.length)
  if (standsAt(bytes, start, 'xref')) return true
  const lexer = new Lexer(bytes, start)
  lexer.next()
  lexer.next()
  lexer.next()
  return lexer.keyword === 'obj'
}

function lastStartxref(bytes: Uint8Array): number | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (
    let at = buffer.lastIndexOf('startxref', undefined, 'latin1');
    at >= 0;
    at = at === 0 ? -1 : buffer.lastIndexOf('startxref', at - 1, 'latin1')
  ) {
    const offset = numberAfter(bytes, at + 9)
    if (offset !== null) return offset
  }
  return null
}

/** The non-negative integer behind `position`; null if something else stands there. */
function numberAfter(bytes: Uint8Array, position: number): number | null {
  let at = skipWhiteSpace(bytes, position, bytes.length)
  if (!isDigit(bytes[at])) return null
  let value = 0
  for (; isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
  return Number.isSafeInteger(value) ? value : null
}

function offsetIn(trailer: PdfDictionary, key: string): number | null {
  const value = trailer.get(key)
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null
}

/** 7.5.4. Entries are read by their tokens: many files have lines of 19 or 21 bytes. */
function readTable(context: ReadingContext, start: number): SectionInProgress {
  const { bytes } = context
  const entries = new EntryTable()
  const cursor = { position: start + 4 }
  let number = 0
  let firstOfSubsection = false
  let spacedSubsections = true

  for (;;) {
    const lineStart = skipWhiteSpace(bytes, cursor.position, bytes.length)
    cursor.position = lineStart
    const first = readInteger(bytes, cursor)
    if (first < 0) break
    const firstEnd = cursor.position
    const second = readInteger(bytes, cursor)
    if (second < 0) break

    const at = skipWhiteSpace(bytes, cursor.position, bytes.length)
    const kind = bytes[at]
    if (kind !== 0x6e && kind !== 0x66) {
      number = first
      firstOfSubsection = true
      if (bytes[firstEnd] !== 0x20 || !isDigit(bytes[firstEnd + 1])) spacedSubsections = false
      continue
    }

    cursor.position = at + 1
    // The free list begins with object 0 (7.5.4); some writers count its subsection from 1.
    if (firstOfSubsection && number === 1 && kind === 0x66 && second === 65535) number = 0
    firstOfSubsection = false
    if (number <= MAX_OBJECT_NUMBER && !entries.has(number)) {
      // An entry in use at offset 0 cannot be: the header stands there.
      const type = kind === 0x66 || first === 0 ? EntryType.free : EntryType.offset
      entries.append(number, type, first, second, lineStart)
      if (entries.size > context.maxObjects) throw tooManyObjects(context.maxObjects)
    }
    number++
  }
  context.budget.charge(cursor.position - start)

  const { trailer, end, oddities } = readTrailer(context, cursor.position)
  return {
    kind: 'table',
    offset: start,
    end,
    revision: 0,
    trailer,
    oddities,
    spacedSubsections,
    hybrid: false,
    hybridOf: null,
    entries: entries.finish(),
  }
}

function readInteger(bytes: Uint8Array, cursor: { position: number }): number {
  let at = skipWhiteSpace(bytes, cursor.position, bytes.length)
  if (!isDigit(bytes[at])) return -1
  let value = 0
  for (; isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
  cursor.position = at
  return value
}

/** The trailer dictionary behind a table; empty if there is none. */
export function readTrailer(
  context: ReadingContext,
  position: number,
): { trailer: PdfDictionary; end: number; oddities: number } {
  const lexer = new Lexer(context.bytes, position)
  lexer.skipWhiteSpaceAndComments()
  const start = lexer.position
  if (!standsAt(context.bytes, start, 'trailer')) {
    return { trailer: new PdfDictionary(), end: position, oddities: 0 }
  }

  lexer.position = start + 7
  const trailer = parseObject(lexer, context.maxNestingDepth)
  context.budget.charge(lexer.position - start)
  return trailer instanceof PdfDictionary
    ? { trailer, end: lexer.position, oddities: lexer.oddities }
    : { trailer: new PdfDictionary(), end: position, oddities: 0 }
}

/** 7.5.8. */
function readCrossReferenceStream(
  context: ReadingContext,
  start: number,
  hybridOf: SectionInProgress | null,
): SectionInProgress | null {
  const read = readIndirectObject(context, start)
  if (read === null || !(read.object instanceof PdfStream)) return null
  const { dictionary } = read.object
  const widths = integers(dictionary.get('W'))
  if (widths === null || widths.length < 3 || widths.some((width) => width > 8)) return null

  const { expansionBudget } = context
  const decoded = decodeStreamPartly({ resolve: direct, expansionBudget }, read.object)
  if (decoded.remainingFilters.length > 0) return null
  return {
    kind: 'stream',
    offset: read.start,
    end: read.end,
    revision: 0,
    trailer: dictionary,
    oddities: read.oddities,
    spacedSubsections: true,
    hybrid: hybridOf !== null,
    hybridOf,
    entries: readStreamEntries(decoded.bytes, widths, subsections(dictionary), context.maxObjects),
  }
}

/** In a cross-reference stream nothing that is needed to read it may be indirect (7.5.8.2). */
function direct(object: PdfObject | undefined): PdfObject {
  return object === undefined || object instanceof PdfReference ? null : object
}

function subsections(dictionary: PdfDictionary): number[] {
  const index = integers(dictionary.get('Index'))
  return index ?? [0, offsetIn(dictionary, 'Size') ?? MAX_OBJECT_NUMBER]
}

function integers(object: PdfObject | undefined): number[] | null {
  if (!Array.isArray(object)) return null
  const numbers: number[] = []
  for (const element of object) {
    if (typeof element !== 'number' || !Number.isInteger(element) || element < 0) return null
    numbers.push(element)
  }
  return numbers
}

function readStreamEntries(
  data: Uint8Array,
  widths: readonly number[],
  index: readonly number[],
  maxObjects: number,
): EntryTable {
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths
  const rowBytes = widths.reduce((sum, width) => sum + width, 0)
  const entries = new EntryTable()
  if (rowBytes === 0) return entries

  let at = 0
  for (let i = 0; i + 1 < index.length; i += 2) {
    const first = index[i] ?? 0
    const count = index[i + 1] ?? 0
    for (let n = 0; n < count && at + rowBytes <= data.length; n++, at += rowBytes) {
      const number = first + n
      if (number > MAX_OBJECT_NUMBER || entries.has(number)) continue
      const type = typeWidth === 0 ? 1 : field(data, at, typeWidth)
      const second = field(data, at + typeWidth, secondWidth)
      const third = field(data, at + typeWidth + secondWidth, thirdWidth)
      const entryType = streamEntryType(type, second)
      if (entryType !== null) entries.append(number, entryType, second, third)
      if (entries.size > maxObjects) throw tooManyObjects(maxObjects)
    }
  }
  return entries.finish()
}

function tooManyObjects(maxObjects: number): ResourceLimitError {
  return new ResourceLimitError(`There are more than ${maxObjects} objects`)
}

/** 7.5.8.3, table 18; other types are references to null. */
function streamEntryType(type: number, second: number): EntryType | null {
  switch (type) {
    case 0:
      return EntryType.free
    case 1:
      return second === 0 ? EntryType.free : EntryType.offset
    case 2:
      return EntryType.compressed
    default:
      return null
  }
}

function field(data: Uint8Array, at: number, width: number): number {
  let value = 0
  for (let i = 0; i < width; i++) value = value * 256 + (data[at + i] ?? 0)
  return value
}
