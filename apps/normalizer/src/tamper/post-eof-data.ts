import { characterClass, WHITE_SPACE } from '../pdf/reading/character-set.ts'
import type { Anomaly } from './anomaly.ts'
import { isBrokenOff, ownEndOfFile } from './end-of-file.ts'
import { foreignFormat, holdsAny, holdsObject } from './foreign-data.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** White space behind the end is padding up to here; no ordinary file has more. */
const maxPaddingBytes = 1024
/** More than a transfer leaves behind by accident. */
const maxAccidentalBytes = 1024

/** Bytes behind the last `%%EOF` and its end-of-line: no reader shows them, and they travel with the file. */
export function postEofData({ file, signed }: TamperEvidence): Anomaly[] {
  const { bytes } = file
  const endOfFile = ownEndOfFile(file)
  if (endOfFile === null || endOfFile >= bytes.length) return []
  // A save that was cut off is judged as an update.
  if (!signed && holdsObject(bytes, endOfFile, bytes.length) && isBrokenOff(file, endOfFile)) {
    return []
  }
  const tail = bytes.subarray(endOfFile)
  const location = { start: endOfFile, end: bytes.length }

  if (tail.every((byte) => characterClass[byte] === WHITE_SPACE)) {
    if (tail.length <= maxPaddingBytes) return []
    const description = `${tail.length} bytes of white space follow the end of the file.`
    return [{ type: 'POST_EOF_DATA', severity: 'low', description, location }]
  }

  const reason = graveReason(bytes, endOfFile, tail, signed)
  const severity = reason !== null ? 'high' : tail.length > maxAccidentalBytes ? 'medium' : 'low'
  const what = reason === null ? '' : `, ${reason}`
  const description = `${tail.length} bytes follow the end of the file${what}.`
  return [{ type: 'POST_EOF_DATA', severity, description, location }]
}

function graveReason(
  bytes: Uint8Array,
  start: number,
  tail: Uint8Array,
  signed: boolean,
): string | null {
  if (holdsObject(bytes, start, bytes.length)) return 'with PDF objects in them'
  if (holdsAny(tail, ['xref', 'trailer', '%PDF-'])) return 'with parts of a PDF file in them'
  const format = foreignFormat(tail)
  if (format !== null) return `which begin as ${format}`
  return signed ? 'in a signed file' : null
}
