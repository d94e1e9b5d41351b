import { skipWhiteSpace } from './character-set.ts'
import { readIndirectObject, type ReadingContext } from './indirect-object.ts'
import { PdfDictionary } from '../object.ts'
import type { PdfFile } from '../pdf-file.ts'

/**
 * The linearization dictionary (ISO 32000-2, annex F): the first object, within the first 1,024 bytes. It is intact
 * when its `/L` is the file's length or ends a revision, so that what follows was appended later.
 */
export function readLinearization(
  context: ReadingContext,
  headerOffset: number,
): PdfFile['linearization'] {
  const { bytes } = context
  const buffer = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, headerOffset + 1024),
  )
  const key = buffer.indexOf('/Linearized', headerOffset, 'latin1')
  const objAt = buffer.indexOf('obj', headerOffset, 'latin1')
  if (key < 0 || objAt < 0 || objAt > key) return null

  let start = objAt
  while (start > headerOffset && !isEndOfLine(bytes[start - 1])) start--
  const read = readIndirectObject(context, start)
  if (read === null || !(read.object instanceof PdfDictionary)) return null
  if (!read.object.has('Linearized')) return null

  const length = read.object.get('L')
  const intact = typeof length === 'number' && endsAt(bytes, headerOffset + length)
  return { dictionary: read.object, intact }
}

function isEndOfLine(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}

/** Whether the file or one of its saves ends here: behind `%%EOF`, with or without its end-of-line. */
function endsAt(bytes: Uint8Array, offset: number): boolean {
  if (offset > bytes.length || offset < 6) return false
  if (skipWhiteSpace(bytes, offset, bytes.length) === bytes.length) return true
  const tail = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + offset - Math.min(offset, 8),
    Math.min(offset, 8),
  )
  return tail.toString('latin1').trimEnd().endsWith('%%EOF')
}
