import {
  isDigit,
  isRegular,
  skipEndOfLine,
  skipWhiteSpace,
  standsAt,
} from '../pdf/reading/character-set.ts'
import { type ObjectHeader, readObjectHeader } from '../pdf/reading/indirect-object.ts'
import { Lexer, Token } from '../pdf/reading/lexer.ts'
import { objectHeaderEndingAt } from '../pdf/reading/object-scan.ts'
import { PdfStream } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { ownEndOfFile } from './end-of-file.ts'

/** Where a reader that scans sees more of a file, or less, than one that follows its cross-reference. */
export interface LayoutFault {
  /**
   * `unlisted`: a whole object that no section lists; `commented`: one that stands in a comment; `unended`: one without
   * an `endobj` of its own; `embedded`: one in the data of a stream; `stray`: bytes that no structure of a file
   * explains (ISO 32000-2, 7.5).
   */
  readonly kind: 'unlisted' | 'commented' | 'unended' | 'embedded' | 'stray'
  readonly start: number
  /** The object that it is about; null for `stray`. */
  readonly header: ObjectHeader | null
  /** The number of the object in whose stream it stands, as far as it is known. */
  readonly within: number | null
}

/**
 * Goes over the bytes from one `obj` to the next: in a sound file each header is followed by its `endobj`, and that by
 * the next header or by a section. Only where this fails is it looked closer. Encoded data is passed over.
 */
export function* layoutFaults(file: PdfFile): Generator<LayoutFault> {
  const { bytes } = file
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ownEnd = ownEndOfFile(file)
  const end = ownEnd ?? bytes.length
  const known = knownPlaces(file)
  let last: ObjectHeader | null = null
  let isOpen = false
  /** Where what is no object begins: the header of the file, then what follows each `endobj`. */
  let gap = file.header.offset ?? 0

  for (
    let at = buffer.indexOf('obj', gap, 'latin1');
    at >= 0 && at < end;
    at = buffer.indexOf('obj', at + 3, 'latin1')
  ) {
    if (standsAt(bytes, at - 3, 'end')) {
      if (!isOpen || !isEndOfObject(bytes, at)) continue
      isOpen = false
      gap = at + 3
      continue
    }
    const header = objectHeaderEndingAt(bytes, at)
    if (header === null || header.start < gap) continue
    const isSound = !isOpen && skipWhiteSpace(bytes, gap, header.start) === header.start
    if (!isSound || !known.objects.has(header.start)) {
      // The `endobj` may have stood in the data of a stream: in a file within this one.
      gap = Math.max(gap, last === null ? 0 : endOfObject(file, last))
      if (header.start < gap || file.isInStream(header.start)) {
        const within = last?.number ?? null
        if (startsLine(bytes, header.start)) {
          yield { kind: 'embedded', start: header.start, header, within }
        }
        continue
      }
      if (isOpen && last !== null) {
        yield { kind: 'unended', start: last.start, header: last, within: null }
        gap = Math.max(gap, last.bodyStart)
      } else {
        const stray = strayByte(bytes, gap, header.start, known)
        if (stray !== null) yield { kind: 'stray', start: stray, header: null, within: null }
      }
      if (isCommented(bytes, gap, header.start)) {
        yield { kind: 'commented', start: header.start, header, within: null }
      } else if (!known.objects.has(header.start)) {
        yield { kind: 'unlisted', start: header.start, header, within: null }
      }
    }
    last = header
    isOpen = true
    const objectEnd = endOfEncodedStream(file, header)
    if (objectEnd <= header.bodyStart || known.objects.next(header.start) < objectEnd) continue
    isOpen = false
    gap = objectEnd
    at = objectEnd - 3
  }
  if (isOpen && last !== null) {
    // Where the end of the file is missing, too, the file was cut off.
    if (ownEnd === null) return
    yield { kind: 'unended', start: last.start, header: last, within: null }
    return
  }
  if (last !== null) gap = Math.max(gap, endOfObject(file, last))
  const stray = strayByte(bytes, gap, end, known)
  if (stray !== null) yield { kind: 'stray', start: stray, header: null, within: null }
}

/** What the sections of all revisions account for. */
interface KnownPlaces {
  /** Where they say that objects begin, and where those of them stand that are objects themselves. */
  readonly objects: Offsets
  /** Where each section ends, by where it begins. */
  readonly sections: ReadonlyMap<number, number>
}

function knownPlaces({ bytes, sections, header }: PdfFile): KnownPlaces {
  const objects: number[] = []
  const ends = new Map<number, number>()
  const base = header.offset ?? 0
  for (const { offset, end, entries } of sections) {
    objects.push(offset)
    ends.set(offset, end)
    for (const entry of entries.values()) {
      if (entry.kind !== 'offset') continue
      const start = isDigit(bytes[entry.offset])
        ? entry.offset
        : skipWhiteSpace(bytes, entry.offset, bytes.length)
      objects.push(start)
      if (base > 0) objects.push(start + base)
    }
  }
  return { objects: new Offsets(objects), sections: ends }
}

/** Many files have hundreds of thousands of them: in order, they take a tenth of what a set does. */
class Offsets {
  readonly #ascending: Float64Array

  constructor(offsets: readonly number[]) {
    this.#ascending = Float64Array.from(offsets).sort()
  }

  has(offset: number): boolean {
    return this.next(offset - 1) === offset
  }

  /** The first behind this one; infinite if there is none. */
  next(offset: number): number {
    let low = 0
    let high = this.#ascending.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ascending[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return this.#ascending[low] ?? Infinity
  }
}

/** Whether the `obj` at this offset belongs to an `endobj` that every reader takes for one. */
function isEndOfObject(bytes: Uint8Array, at: number): boolean {
  // `endobj12 0 obj` is met.
  if (isRegular(bytes[at + 3]) && !isDigit(bytes[at + 3])) return false
  let before = at - 4
  while (bytes[before] === 0x20 || bytes[before] === 0x09) before--
  return bytes[before] !== percent
}

/** Where an object ends that was parsed; 0 for one that is not live. */
function endOfObject(file: PdfFile, { number, start }: ObjectHeader): number {
  const provenance = file.provenance(number)
  return provenance?.kind === 'offset' && provenance.start === start ? provenance.end : 0
}

/** Shorter ones cost more to look up than to go over. */
const fewestEncodedBytes = 1024

/**
 * Just past the `endobj` of a live stream, whose encoded data no reader takes for objects; 0 for anything else and where
 * it does not end so.
 */
function endOfEncodedStream(file: PdfFile, header: ObjectHeader): number {
  const object = file.graph.get(header.number)
  if (!(object instanceof PdfStream) || object.data.length < fewestEncodedBytes) return 0
  if (!object.dictionary.has('Filter')) return 0
  const end = endOfObject(file, header)
  return standsAt(file.bytes, end - 6, 'endobj') && isEndOfObject(file.bytes, end - 3) ? end : 0
}

function isCommented(bytes: Uint8Array, gap: number, start: number): boolean {
  for (let at = start - 1; at >= gap && !isEndOfLine(bytes[at]); at--) {
    if (bytes[at] === percent) return true
  }
  return false
}

/** The first byte in a gap between objects that is neither of a section nor in a comment; null if there is none. */
function strayByte(bytes: Uint8Array, gap: number, end: number, known: KnownPlaces): number | null {
  for (let at = skipWhiteSpace(bytes, gap, end); at < end; at = skipWhiteSpace(bytes, at, end)) {
    // Right behind `%%EOF` a header is not known for one.
    if (known.objects.has(at) && readObjectHeader(bytes, at) !== null) return null
    const start = at
    const section = known.sections.get(at)
    if (section !== undefined) at = section
    else if (standsAt(bytes, at, '%%EOF')) at += 5
    else if (bytes[at] === percent) at = endOfLine(bytes, at, end)
    else if (standsAt(bytes, at, 'endobj')) at += 6
    else if (standsAt(bytes, at, 'xref')) at = endOfTable(bytes, at + 4, end)
    else if (standsAt(bytes, at, 'trailer')) at = endOfDictionary(bytes, at + 7, end)
    else if (standsAt(bytes, at, 'startxref')) at = endOfNumber(bytes, at + 9, end)
    if (at <= start) return start
  }
  return null
}

function endOfLine(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && !isEndOfLine(bytes[at])) at++
  return skipEndOfLine(bytes, at)
}

/** 7.5.4: numbers, and the letters n and f. */
function endOfTable(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; ; at++) {
    at = skipWhiteSpace(bytes, at, end)
    if (at >= end) return end
    if (!isDigit(bytes[at]) && bytes[at] !== 0x6e && bytes[at] !== 0x66) return at
  }
}

function endOfDictionary(bytes: Uint8Array, start: number, end: number): number {
  const lexer = new Lexer(bytes, start, end)
  for (let depth = 0; ;) {
    switch (lexer.next()) {
      case Token.end:
        return end
      case Token.dictionaryOpen:
        depth++
        break
      case Token.dictionaryClose:
        if (--depth <= 0) return lexer.position
        break
      case Token.keyword:
        if (depth === 0) return lexer.tokenStart
        break
      default:
    }
  }
}

function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = skipWhiteSpace(bytes, start, end)
  while (isDigit(bytes[at])) at++
  return at
}

function startsLine(bytes: Uint8Array, position: number): boolean {
  return position === 0 || isEndOfLine(bytes[position - 1])
}

function isEndOfLine(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}

const percent = 0x25
