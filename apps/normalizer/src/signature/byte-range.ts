import { type PdfDictionary, type PdfObject, PdfString } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { SignatureValue } from '../pdf/form/signature-field.ts'

/** The bytes that a signature covers: from the file's first up to `gapStart`, and from `gapEnd` up to `end`. */
export interface SignedRange {
  readonly gapStart: number
  readonly gapEnd: number
  readonly end: number
}

export type ByteRangeFault = 'byte range invalid' | 'contents do not match byte range'

/**
 * What `/ByteRange` says, whether or not it can be believed (trust, 2.3 point 1).
 *
 * @returns null unless it is four integers that start at 0, ascend and lie in the file
 */
export function signedRange(file: PdfFile, dictionary: PdfDictionary): SignedRange | null {
  const array = file.graph.resolve(dictionary.get('ByteRange'))
  if (!Array.isArray(array) || array.length !== 4) return null
  const [start, gapStart, gapEnd, length] = array.map((item) => file.graph.resolve(item))
  if (start !== 0 || !isLength(gapStart) || !isLength(gapEnd) || !isLength(length)) return null
  const end = gapEnd + length
  // A slice that ends past the file would be silently shorter, and its digest could still match.
  return gapStart <= gapEnd && end <= file.bytes.length ? { gapStart, gapEnd, end } : null
}

/** Points 2 and 3: the gap is exactly this signature's `/Contents`, and the range ends where a revision ends. */
export function rangeFault(
  file: PdfFile,
  value: SignatureValue,
  range: SignedRange,
): ByteRangeFault | null {
  if (!gapIsContents(file, value, range)) return 'contents do not match byte range'
  return endsWithRevision(file, range.end) ? null : 'byte range invalid'
}

/** DSS' collision check: of two signatures one signs the other whole, or they do not touch. */
export function rangesCross(a: SignedRange, b: SignedRange): boolean {
  const [inner, outer] = a.end <= b.end ? [a, b] : [b, a]
  const sameGap = inner.gapStart === outer.gapStart && inner.gapEnd === outer.gapEnd
  if (inner.end === outer.end) return !sameGap
  return outer.gapStart < inner.end
}

/** The two parts of the file that are signed, without copying them. */
export function signedParts(file: PdfFile, range: SignedRange): [Uint8Array, Uint8Array] {
  return [file.bytes.subarray(0, range.gapStart), file.bytes.subarray(range.gapEnd, range.end)]
}

function isLength(value: PdfObject | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Whether what the range leaves out is the signature's `/Contents`, with or without the brackets around it. */
export function gapIsContents(file: PdfFile, value: SignatureValue, range: SignedRange): boolean {
  const contents = file.graph.resolve(value.dictionary.get('Contents'))
  if (!(contents instanceof PdfString) || !standsAroundGap(file, value, range)) return false
  const digits = gapDigits(file.bytes, range)
  const decoded = digits && decodeHex(digits)
  return decoded !== null && Buffer.compare(decoded, contents.bytes) === 0
}

/** The hexadecimal digits in the gap, whether the angle brackets are left out of the signed bytes or signed too. */
function gapDigits(bytes: Uint8Array, { gapStart, gapEnd }: SignedRange): Uint8Array | null {
  const [opening, closing] = [0x3c, 0x3e]
  if (bytes[gapStart] === opening && bytes[gapEnd - 1] === closing) {
    return bytes.subarray(gapStart + 1, gapEnd - 1)
  }
  const bracketsSigned = bytes[gapStart - 1] === opening && bytes[gapEnd] === closing
  return bracketsSigned ? bytes.subarray(gapStart, gapEnd) : null
}

function decodeHex(digits: Uint8Array): Buffer | null {
  const text = Buffer.from(digits.buffer, digits.byteOffset, digits.byteLength).toString('latin1')
  if (!/^[0-9A-Fa-f]*$/.test(text)) return null
  // ISO 32000-2, 7.3.4.3: a missing last digit is 0.
  return Buffer.from(text.length % 2 === 0 ? text : `${text}0`, 'hex')
}

/** The dictionary in force is the one around the gap, not a later copy whose other entries nobody signed. */
function standsAroundGap(
  file: PdfFile,
  { objectNumber }: SignatureValue,
  range: SignedRange,
): boolean {
  const provenance = objectNumber === null ? null : file.provenance(objectNumber)
  if (provenance?.kind !== 'offset') return false
  return provenance.start <= range.gapStart && range.gapEnd <= provenance.end
}

/** The end of a revision, with or without its end-of-line and with white space that may stand behind that. */
function endsWithRevision(file: PdfFile, end: number): boolean {
  const coversAll = end === file.bytes.length
  const index = file.revisions.findLastIndex(
    (revision) => withoutEndOfLine(file.bytes, revision.end) <= end,
  )
  const revisionEnd = file.revisions[index]?.end ?? 0
  if (!coversAll && (index === -1 || !isWhiteSpace(file.bytes, revisionEnd, end))) return false
  const last = coversAll ? file.revisions.length - 1 : index
  return file.sections.every((section) => section.revision > last || section.end <= end)
}

function isWhiteSpace(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!whiteSpace.has(bytes[at] ?? 0)) return false
  return true
}

/** ISO 32000-2, table 1. */
const whiteSpace: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])

function withoutEndOfLine(bytes: Uint8Array, end: number): number {
  const [carriageReturn, lineFeed] = [0x0d, 0x0a]
  if (bytes[end - 1] === lineFeed) return bytes[end - 2] === carriageReturn ? end - 2 : end - 1
  return bytes[end - 1] === carriageReturn ? end - 1 : end
}
