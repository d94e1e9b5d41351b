import { PdfDictionary, PdfString } from '../pdf/object.ts'
import { characterClass, hexadecimalDigit, WHITE_SPACE } from '../pdf/reading/character-set.ts'
import { type SignedRange, signedRange } from '../signature/byte-range.ts'
import type { Anomaly, Location } from './anomaly.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** S6: what lies in the gap of a byte range is signed by nobody, so only the signature itself may lie there. */
export function unsignedGaps(evidence: TamperEvidence): Anomaly[] {
  return [...gapsOfSignatures(evidence), ...gapsOfTornSignatures(evidence)].map((location) => ({
    type: 'SHADOW_CONTENT_DETECTED',
    severity: 'critical',
    description: 'The bytes that a signature leaves out hold more than the signature.',
    location,
  }))
}

function gapsOfSignatures({ file, signatureValues }: TamperEvidence): Location[] {
  return signatureValues.flatMap(({ dictionary, objectNumber: number }) => {
    const range = signedRange(file, dictionary)
    const contents = file.graph.resolve(dictionary.get('Contents'))
    if (range === null || !(contents instanceof PdfString)) return []
    if (isHexadecimal(file.bytes, range, contents) || isStale(range, contents)) return []
    const object = number === null ? null : { number, generation: file.graph.generation(number) }
    return [{ start: range.gapStart, end: range.gapEnd, ...(object && { object }) }]
  })
}

/**
 * What is put into a gap can tear the dictionary around it, so that no reader finds its byte range any more. It still
 * stands in the bytes, and leads right behind a `/Contents`.
 */
function gapsOfTornSignatures({ file, signatureFields }: TamperEvidence): Location[] {
  const { bytes, graph } = file
  const isTorn = signatureFields.some(({ valueHolder }) => {
    const value = graph.resolve(valueHolder?.dictionary.get('V'))
    return valueHolder !== null && !(value instanceof PdfDictionary && value.has('ByteRange'))
  })
  if (!isTorn) return []

  const found = new Map<number, Location | null>()
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (
    let at = buffer.indexOf('/ByteRange', 0, 'latin1');
    at >= 0;
    at = buffer.indexOf('/ByteRange', at + 10, 'latin1')
  ) {
    const [start = 0, end = 0] = gapNamedBy(buffer.toString('latin1', at, at + maxRangeText))
    // Each is looked through once, however often it is named.
    if (start >= end || end > bytes.length || found.has(start)) continue
    const opening = openingOfContents(buffer, start)
    if (opening === null) continue
    found.set(start, endOfHexadecimal(bytes, opening) >= end ? null : { start, end })
  }
  return [...found.values()].filter((location) => location !== null)
}

/** Four numbers of as many digits as an offset has. */
const maxRangeText = 128

function gapNamedBy(text: string): [start: number, end: number] | [] {
  const numbers = /^\/ByteRange\s*\[\s*0\s+(\d{1,15})\s+(\d{1,15})\s+\d{1,15}\s*\]/.exec(text)
  return numbers === null ? [] : [Number(numbers[1]), Number(numbers[2])]
}

/** Where the value of a `/Contents` opens, as the first byte of the gap or right before it; null if it does not. */
function openingOfContents(buffer: Buffer, start: number): number | null {
  const opening = buffer[start] === 0x3c ? start : start - 1
  if (buffer[opening] !== 0x3c) return null
  const before = buffer.toString('latin1', Math.max(0, opening - 32), opening)
  return /\/Contents\s*$/.test(before) ? opening : null
}

/** Just past the hexadecimal string that opens here, or past what of it is one. */
function endOfHexadecimal(bytes: Uint8Array, opening: number): number {
  for (let at = opening + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === 0x3e) return at + 1
    if (hexadecimalDigit(byte) < 0 && characterClass[byte] !== WHITE_SPACE) return at
  }
  return bytes.length
}

/** Whether the gap is one hexadecimal string, with its brackets or inside of them, no longer than `/Contents`. */
function isHexadecimal(
  bytes: Uint8Array,
  { gapStart, gapEnd }: SignedRange,
  contents: PdfString,
): boolean {
  const opened = bytes[gapStart] === 0x3c
  const closed = bytes[gapEnd - 1] === 0x3e
  let digits = 0
  for (let at = gapStart + (opened ? 1 : 0); at < gapEnd - (closed ? 1 : 0); at++) {
    const byte = bytes[at] ?? 0
    if (hexadecimalDigit(byte) >= 0) digits++
    else if (characterClass[byte] !== WHITE_SPACE) return false
  }
  return Math.ceil(digits / 2) <= contents.bytes.length
}

/**
 * Whether the gap has the very length of `/Contents`, and so no room for more. If it holds something else all the same,
 * a program that knows nothing of signatures wrote the file anew, and the numbers of `/ByteRange` name whatever came to
 * lie there: a signature that is broken, and deceives nobody.
 */
function isStale({ gapStart, gapEnd }: SignedRange, contents: PdfString): boolean {
  const digits = 2 * contents.bytes.length
  const length = gapEnd - gapStart
  return length >= digits && length <= digits + 2
}
