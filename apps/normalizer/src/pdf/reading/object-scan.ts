import { isDigit, isRegular, isWhiteSpace, standsAt } from './character-set.ts'
import { readTrailer } from './cross-reference.ts'
import { type ObjectHeader, readObjectBody, type ReadingContext } from './indirect-object.ts'
import {
  MAX_GENERATION,
  MAX_OBJECT_NUMBER,
  isName,
  PdfDictionary,
  type PdfReference,
  PdfStream,
} from '../object.ts'
import { type ReadLimits, ResourceLimitError } from './read-limits.ts'

/** What is found in a file by looking for `N G obj` from its first byte to its last. */
export interface ObjectScan {
  /** In the order of their offsets; of one number there may be several. */
  readonly objects: readonly ScannedObject[]
  /** Trailer dictionaries and dictionaries of cross-reference streams, in the order of their offsets. */
  readonly trailers: readonly PdfDictionary[]
}

export interface ScannedObject {
  readonly number: number
  readonly generation: number
  readonly offset: number
  /** Just past `endobj`, or where the object ends without it. */
  readonly end: number
  readonly objectStream: PdfStream | null
  /** Whether it is a dictionary with this /Type. */
  readonly type: 'Catalog' | 'Pages' | null
}

/**
 * Finds every object that stands outside of the data of streams.
 *
 * @throws {ResourceLimitError}
 */
export function scanObjects(reading: ReadingContext, limits: ReadLimits): ObjectScan {
  const { bytes } = reading
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const objects: ScannedObject[] = []
  const trailers: PdfDictionary[] = []
  const integers = new Map<number, number>()
  const context: ReadingContext = {
    ...reading,
    lengthAt: (reference: PdfReference) => integers.get(reference.number) ?? null,
  }

  let trailerAt = buffer.indexOf('trailer', 0, 'latin1')
  const readTrailersUpTo = (position: number): void => {
    for (
      ;
      trailerAt >= 0 && trailerAt < position;
      trailerAt = buffer.indexOf('trailer', trailerAt + 7, 'latin1')
    ) {
      const { trailer } = readTrailer(context, trailerAt)
      if (trailer.size > 0) trailers.push(trailer)
    }
  }

  for (let at = buffer.indexOf('obj', 0, 'latin1'); at >= 0;) {
    const header = objectHeaderEndingAt(bytes, at)
    if (header === null) {
      at = buffer.indexOf('obj', at + 3, 'latin1')
      continue
    }

    readTrailersUpTo(header.start)
    const read = readObjectBody(context, header)
    const { object } = read
    if (typeof object === 'number') integers.set(read.number, object)
    const dictionary = object instanceof PdfStream ? object.dictionary : object
    const type = dictionary instanceof PdfDictionary ? dictionary.get('Type') : undefined
    if (object instanceof PdfStream && isName(type, 'XRef')) trailers.push(object.dictionary)

    objects.push({
      number: read.number,
      generation: read.generation,
      offset: read.start,
      end: read.end,
      objectStream: object instanceof PdfStream && isName(type, 'ObjStm') ? object : null,
      type: isName(type, 'Catalog') ? 'Catalog' : isName(type, 'Pages') ? 'Pages' : null,
    })
    if (objects.length > limits.maxObjects) {
      throw new ResourceLimitError(`There are more than ${limits.maxObjects} objects`)
    }

    // Data of a stream may hold a whole PDF file: what stands in it is not this file's.
    const next =
      read.stream === null ? read.bodyStart : Math.max(read.bodyStart, read.stream.dataEnd)
    if (read.stream !== null && trailerAt >= 0 && trailerAt < next) {
      trailerAt = buffer.indexOf('trailer', next, 'latin1')
    }
    at = buffer.indexOf('obj', next, 'latin1')
  }
  readTrailersUpTo(bytes.length)
  return { objects, trailers }
}

/** The header that ends with the `obj` at this offset; null if it is not one. */
export function objectHeaderEndingAt(bytes: Uint8Array, objAt: number): ObjectHeader | null {
  let at = objAt - 1
  while (at >= 0 && isWhiteSpace(bytes[at])) at--
  const generationEnd = at + 1
  while (at >= 0 && isDigit(bytes[at]) && generationEnd - at <= 6) at--
  const generationStart = at + 1
  if (generationStart === generationEnd || !isWhiteSpace(bytes[at])) return null

  while (at >= 0 && isWhiteSpace(bytes[at])) at--
  const numberEnd = at + 1
  while (at >= 0 && isDigit(bytes[at]) && numberEnd - at <= 11) at--
  const start = at + 1
  if (start === numberEnd) return null
  // `endobj12 0 obj` is met; any other regular byte makes it part of something else.
  if (isRegular(bytes[at]) && !standsAt(bytes, start - 6, 'endobj')) return null

  const number = decimal(bytes, start, numberEnd)
  const generation = decimal(bytes, generationStart, generationEnd)
  if (number > MAX_OBJECT_NUMBER || generation > MAX_GENERATION) return null
  return { number, generation, start, bodyStart: objAt + 3 }
}

function decimal(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
  return value
}
