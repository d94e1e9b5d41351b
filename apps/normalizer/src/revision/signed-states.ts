import { isDigit, skipWhiteSpace } from '../pdf/reading/character-set.ts'
import { signatureFields, signatureValues } from '../pdf/form/signature-field.ts'
import type { PdfDictionary } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { MalformedPdfError } from '../pdf/reading/read-limits.ts'
import { readPdf } from '../pdf/reading/read-pdf.ts'
import { signedRange } from '../signature/byte-range.ts'
import { type Permissions, permissionsOf } from './permission.ts'
import { type DocumentState, stateOf } from './revision-pair.ts'

/** The document as of a revision in which the bytes end that signatures cover. */
export interface SignedState extends DocumentState {
  /** Index of the revision. */
  readonly revision: number
  readonly signatures: readonly StateSignature[]
}

export interface StateSignature {
  /** Where the bytes that it leaves out begin: in every later state that tells which signature it is. */
  readonly gapStart: number
  readonly objectNumber: number | null
  readonly permissions: Permissions
}

/** States that are read; of a document that was signed more often, the first and the last ones. */
const maxStates = 32
/** Of all states together: each is read as a document of its own. */
const maxBytesOfStates = 512 * 1024 * 1024

/**
 * Indexes of the revisions up to which some byte range signs and after which something comes, oldest first. Byte
 * ranges are looked for in the bytes too: signatures of earlier revisions may be gone.
 */
export function signedRevisions(file: PdfFile): number[] {
  const last = file.revisions.at(-1)
  // An update without an end of its own is no revision, but there it is.
  const goesOn = last !== undefined && file.sections.some(({ offset }) => offset >= last.end)
  if (file.revisions.length < 2 && !goesOn) return []
  const ends = new Set(claimedEnds(file.bytes))
  for (const { dictionary } of signatureValues(file.graph, file.bytes)) {
    const range = signedRange(file, dictionary)
    if (range !== null) ends.add(range.end)
  }
  const found = revisionsAt(file, [...ends]).filter((index) => goesOn || index !== last?.index)
  const affordable = Math.floor(maxBytesOfStates / file.bytes.length / 2) * 2
  const most = Math.min(maxStates, Math.max(2, affordable))
  if (found.length <= most) return found
  return [...found.slice(0, most / 2), ...found.slice(-most / 2)]
}

/** The revisions in which offsets lie, each once, in ascending order. */
function revisionsAt({ revisions }: PdfFile, ends: readonly number[]): number[] {
  const found = new Set<number>()
  let index = 0
  for (const end of ends.toSorted((a, b) => a - b)) {
    while (index < revisions.length && end > (revisions[index]?.end ?? 0)) index++
    if (index === revisions.length) break
    found.add(index)
  }
  return [...found]
}

/**
 * Reads the document as it was when it was signed; null if nothing in it signs it.
 *
 * @returns `unreadable` when the bytes up to there are no document
 */
export function signedState(file: PdfFile, revision: number): SignedState | 'unreadable' | null {
  const { start = 0, end = 0 } = file.revisions[revision] ?? {}
  const earlier = readUpTo(file.bytes, end)
  if (earlier === null) return 'unreadable'
  const state = stateOf(earlier, file)
  const { graph } = state
  const fields = new Map<unknown, PdfDictionary>()
  for (const { dictionary, valueHolder } of signatureFields(graph)) {
    const value = graph.resolve(valueHolder?.dictionary.get('V'))
    if (value !== null) fields.set(value, dictionary)
  }

  const signatures: StateSignature[] = []
  for (const { dictionary, objectNumber } of signatureValues(graph, earlier.bytes)) {
    const range = signedRange(earlier, dictionary)
    // One that ends within the revision leaves some of it unsigned, and is judged by what it should have signed.
    if (range === null || range.end <= start) continue
    const permissions = permissionsOf(graph, dictionary, fields.get(dictionary) ?? null)
    signatures.push({ gapStart: range.gapStart, objectNumber, permissions })
  }
  return signatures.length === 0 ? null : { ...state, revision, signatures }
}

/** Null when no document can be made of the bytes. */
export function readUpTo(bytes: Uint8Array, end: number): PdfFile | null {
  try {
    return readPdf(bytes.subarray(0, end))
  } catch (error) {
    if (error instanceof MalformedPdfError) return null
    throw error
  }
}

/** Byte ranges that are looked at: each signature value has one. */
const maxRanges = 10_000

/** The ends of everything in the bytes that has the form of a byte range from the file's beginning. */
function claimedEnds(bytes: Uint8Array): number[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends: number[] = []
  const key = '/ByteRange'
  for (
    let at = buffer.indexOf(key, 0, 'latin1');
    at >= 0 && ends.length < maxRanges;
    at = buffer.indexOf(key, at + key.length, 'latin1')
  ) {
    const numbers = numbersAt(bytes, at + key.length)
    const [start, gapStart = 0, gapEnd = 0, length = 0] = numbers
    if (numbers.length === 4 && start === 0 && gapStart <= gapEnd) ends.push(gapEnd + length)
  }
  return ends
}

function numbersAt(bytes: Uint8Array, position: number): number[] {
  let at = skipWhiteSpace(bytes, position, bytes.length)
  if (bytes[at] !== 0x5b) return []
  at = skipWhiteSpace(bytes, at + 1, bytes.length)
  const numbers: number[] = []
  while (numbers.length < 5 && isDigit(bytes[at])) {
    let value = 0
    for (; isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
    numbers.push(value)
    at = skipWhiteSpace(bytes, at, bytes.length)
  }
  return numbers
}
