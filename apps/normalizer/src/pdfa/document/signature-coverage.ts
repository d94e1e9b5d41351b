import type { PdfDictionary } from '../../pdf/object.ts'
import type { PdfFile } from '../../pdf/pdf-file.ts'
import { skipEndOfLine } from '../../pdf/reading/character-set.ts'
import { numbersOf } from '../../pdf/rectangle.ts'
import { gapIsContents, type SignedRange } from '../../signature/byte-range.ts'
import type { Place } from '../failures.ts'

/** What signatures cover of the file that they were made in (ISO 32000-2, 12.8.1). */
export class SignatureCoverage {
  readonly #file: PdfFile
  #markers: readonly number[] | null = null

  constructor(file: PdfFile) {
    this.#file = file
  }

  /** Whether the byte range leaves out the value of `/Contents` with its brackets, and nothing else of its revision. */
  isComplete(signature: PdfDictionary, { object }: Place): boolean {
    const range = rangeOf(this.#file, signature)
    if (range === null || this.#file.bytes[range.gapStart] !== openingBracket) return false
    const objectNumber = object?.number ?? null
    const value = { fieldName: '', dictionary: signature, objectNumber }
    return gapIsContents(this.#file, value, range) && this.#endsRevision(range)
  }

  /**
   * Whether the next `%%EOF` ends there. Its end-of-line belongs to it; where something was appended, that may have come
   * with what was appended.
   */
  #endsRevision({ gapEnd, end }: SignedRange): boolean {
    const { bytes } = this.#file
    this.#markers ??= endMarkers(bytes)
    const index = firstAtOrAfter(this.#markers, gapEnd)
    const marker = this.#markers[index]
    if (marker === undefined) return end === bytes.length
    const markerEnd = marker + endMarker.length
    const isLast = index === this.#markers.length - 1
    return end === skipEndOfLine(bytes, markerEnd) || (!isLast && end === markerEnd)
  }
}

const openingBracket = 0x3c
const endMarker = '%%EOF'

/** The first two spans; null where they do not lie in the file. */
function rangeOf({ bytes, graph }: PdfFile, signature: PdfDictionary): SignedRange | null {
  const numbers = numbersOf(graph, signature.get('ByteRange'), 4)
  if (numbers === null) return null
  const [start = 0, gapStart = 0, gapEnd = 0, rest = 0] = numbers.map(Math.trunc)
  const end = gapEnd + rest
  const ascends = start === 0 && gapStart >= 0 && gapStart <= gapEnd && gapEnd <= end
  return ascends && end <= bytes.length ? { gapStart, gapEnd, end } : null
}

/** Where lines begin with the marker. */
function endMarkers(bytes: Uint8Array): number[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const markers: number[] = []
  let at = buffer.indexOf(endMarker, 0, 'latin1')
  while (at !== -1) {
    if (isEndOfLine(bytes[at - 1])) markers.push(at)
    at = buffer.indexOf(endMarker, at + endMarker.length, 'latin1')
  }
  return markers
}

/** The index of the first of ascending numbers that is not smaller than `limit`. */
function firstAtOrAfter(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function isEndOfLine(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}
