import {
  CR,
  isDigit,
  isRegular,
  isWhiteSpace,
  LF,
  skipEndOfLine,
  skipWhiteSpace,
  standsAt,
} from './character-set.ts'
import type { EndOfStreamFinder } from './end-of-stream.ts'
import { Lexer } from './lexer.ts'
import {
  MAX_GENERATION,
  MAX_OBJECT_NUMBER,
  PdfDictionary,
  type PdfObject,
  PdfReference,
  PdfStream,
} from '../object.ts'
import { parseObject } from './object-parser.ts'
import type { ExpansionBudget, ParseBudget } from './read-limits.ts'

/** `N G obj … endobj` (ISO 32000-2, 7.3.10) as it stands in the file. Offsets are absolute. */
export interface IndirectObject {
  readonly number: number
  readonly generation: number
  readonly object: PdfObject
  /** The first digit of the object number. */
  readonly start: number
  /** Just past `obj`. */
  readonly bodyStart: number
  /** Just past `endobj`, or where the object ends without it. */
  readonly end: number
  /** Where `endobj` stands; -1 if it is missing. */
  readonly endobjAt: number
  readonly stream: StreamExtent | null
  /** Of the object and what it holds directly, as bits of `Oddity`. */
  readonly oddities: number
  /** What it takes of the memory (see {@link Lexer.objectBytes}). */
  readonly objectBytes: number
}

/** Where the data of a stream lies (7.3.8). */
export interface StreamExtent {
  /** Just past the keyword `stream`. */
  readonly keywordEnd: number
  readonly dataStart: number
  readonly dataEnd: number
  /** Where `endstream` stands; -1 if it is missing. */
  readonly endstreamAt: number
  /** What `/Length` says; null if it is missing or does not resolve to a number. */
  readonly declaredLength: number | null
}

export interface ReadingContext {
  readonly bytes: Uint8Array
  readonly maxNestingDepth: number
  readonly maxObjects: number
  readonly budget: ParseBudget
  readonly endsOfStreams: EndOfStreamFinder
  readonly expansionBudget: ExpansionBudget
  /** The value of an indirect `/Length`; null if it cannot be told. */
  lengthAt(reference: PdfReference): number | null
}

export interface ObjectHeader {
  readonly number: number
  readonly generation: number
  readonly start: number
  readonly bodyStart: number
}

/** The `N G obj` at this offset, white space before it allowed; null if something else stands there. */
export function readObjectHeader(bytes: Uint8Array, offset: number): ObjectHeader | null {
  if (offset < 0 || offset >= bytes.length) return null
  const start = skipWhiteSpace(bytes, offset, bytes.length)
  let at = start

  let number = 0
  for (; isDigit(bytes[at]); at++) number = number * 10 + (bytes[at] ?? 0) - 0x30
  if (at === start || !isWhiteSpace(bytes[at]) || number > MAX_OBJECT_NUMBER) return null

  at = skipWhiteSpace(bytes, at, bytes.length)
  const generationStart = at
  let generation = 0
  for (; isDigit(bytes[at]); at++) generation = generation * 10 + (bytes[at] ?? 0) - 0x30
  if (at === generationStart || generation > MAX_GENERATION) return null

  at = skipWhiteSpace(bytes, at, bytes.length)
  if (!standsAt(bytes, at, 'obj')) return null
  return { number, generation, start, bodyStart: at + 3 }
}

/**
 * Reads the object whose header stands at this offset; null if none does. An object without a value is null.
 *
 * @throws {ResourceLimitError}
 */
export function readIndirectObject(context: ReadingContext, offset: number): IndirectObject | null {
  const header = readObjectHeader(context.bytes, offset)
  return header === null ? null : readObjectBody(context, header)
}

/** Reads what follows a header. @throws {ResourceLimitError} */
export function readObjectBody(context: ReadingContext, header: ObjectHeader): IndirectObject {
  const { bytes, budget } = context
  const lexer = new Lexer(bytes, header.bodyStart)
  const value = parseObject(lexer, context.maxNestingDepth) ?? null
  budget.charge(lexer.position - header.bodyStart)

  if (value instanceof PdfDictionary) {
    const afterValue = lexer.position
    lexer.skipWhiteSpaceAndComments()
    if (standsAt(bytes, lexer.position, 'stream')) {
      return readStream(context, header, value, lexer)
    }
    lexer.position = afterValue
  }

  lexer.skipWhiteSpaceAndComments()
  const endobjAt = standsAt(bytes, lexer.position, 'endobj') ? lexer.position : -1
  return {
    ...header,
    object: value,
    end: endobjAt < 0 ? lexer.position : endobjAt + 6,
    endobjAt,
    stream: null,
    oddities: lexer.oddities,
    objectBytes: lexer.objectBytes,
  }
}

function readStream(
  context: ReadingContext,
  header: ObjectHeader,
  dictionary: PdfDictionary,
  lexer: Lexer,
): IndirectObject {
  const { bytes } = context
  const keywordEnd = lexer.position + 6
  const dataStart = startOfData(bytes, keywordEnd)
  const declaredLength = declared(context, dictionary)
  const { dataEnd, endstreamAt } = endOfData(context, dataStart, declaredLength)

  const afterData = endstreamAt < 0 ? dataEnd : endstreamAt + 9
  const next = skipWhiteSpace(bytes, afterData, bytes.length)
  const endobjAt = standsAt(bytes, next, 'endobj') ? next : -1
  return {
    ...header,
    object: new PdfStream(dictionary, bytes.subarray(dataStart, dataEnd)),
    end: endobjAt < 0 ? afterData : endobjAt + 6,
    endobjAt,
    stream: { keywordEnd, dataStart, dataEnd, endstreamAt, declaredLength },
    oddities: lexer.oddities,
    objectBytes: lexer.objectBytes,
  }
}

/** 7.3.8.1 asks for CRLF or LF after the keyword; spaces before it and a lone CR occur. */
function startOfData(bytes: Uint8Array, keywordEnd: number): number {
  let at = keywordEnd
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++
  return bytes[at] === CR || bytes[at] === LF ? skipEndOfLine(bytes, at) : keywordEnd
}

function declared(context: ReadingContext, dictionary: PdfDictionary): number | null {
  const entry = dictionary.get('Length')
  const length = entry instanceof PdfReference ? context.lengthAt(entry) : entry
  return typeof length === 'number' && Number.isInteger(length) && length >= 0 ? length : null
}

/** Believes `/Length` if the stream ends there; else looks for the keyword that ends it. */
function endOfData(
  context: ReadingContext,
  dataStart: number,
  declaredLength: number | null,
): { dataEnd: number; endstreamAt: number } {
  const { bytes, budget, endsOfStreams } = context
  if (declaredLength !== null && dataStart + declaredLength <= bytes.length) {
    const dataEnd = dataStart + declaredLength
    const next = skipWhiteSpace(bytes, dataEnd, Math.min(bytes.length, dataEnd + 64))
    if (standsAt(bytes, next, 'endstream')) return { dataEnd, endstreamAt: next }
  }

  const endstreamAt = endsOfStreams.after(dataStart)
  const limit = endstreamAt < 0 ? bytes.length : endstreamAt

  // Without its own `endstream` the object ends at `endobj`, and what follows belongs to others.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const endobjAt = buffer.subarray(dataStart, limit).indexOf('endobj', 0, 'latin1')
  budget.charge(endobjAt < 0 ? limit - dataStart : endobjAt)
  if (endobjAt >= 0 && (endstreamAt < 0 || startsObject(bytes, dataStart + endobjAt + 6))) {
    return { dataEnd: beforeEndOfLine(bytes, dataStart, dataStart + endobjAt), endstreamAt: -1 }
  }
  return { dataEnd: beforeEndOfLine(bytes, dataStart, limit), endstreamAt }
}

function startsObject(bytes: Uint8Array, position: number): boolean {
  return !isRegular(bytes[position]) && readObjectHeader(bytes, position) !== null
}

function beforeEndOfLine(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  if (at > start && bytes[at - 1] === LF) at--
  if (at > start && bytes[at - 1] === CR) at--
  return at
}
