import type { LexicalFacts, StreamSpelling } from '../pdf-file.ts'
import {
  CR,
  isDigit,
  isRegular,
  isWhiteSpace,
  LF,
  skipWhiteSpace,
  standsAt,
} from './character-set.ts'
import type { ObjectHeader } from './indirect-object.ts'

/**
 * Looks at the bytes around an object.
 *
 * @param end where the object ends: just past `endobj` if there is one
 * @param data of a stream, as a view of the file; null for other objects
 */
export function lexicalFacts(
  bytes: Uint8Array,
  header: ObjectHeader,
  end: number,
  data: Uint8Array | null,
): LexicalFacts {
  return {
    objectSpacing: hasObjectSpacing(bytes, header),
    endobjSpacing: hasEndobjSpacing(bytes, end),
    stream: data === null ? null : streamSpelling(bytes, data),
  }
}

/** An end-of-line before the number and behind `obj`, and one white-space character between the three. */
function hasObjectSpacing(bytes: Uint8Array, { start, bodyStart }: ObjectHeader): boolean {
  if (start > 0 && !isEndOfLine(bytes[start - 1])) return false
  let at = start
  while (isDigit(bytes[at])) at++
  if (!isWhiteSpace(bytes[at]) || !isDigit(bytes[at + 1])) return false
  at++
  while (isDigit(bytes[at])) at++
  return isWhiteSpace(bytes[at]) && standsAt(bytes, at + 1, 'obj') && isEndOfLine(bytes[bodyStart])
}

function hasEndobjSpacing(bytes: Uint8Array, end: number): boolean {
  const endobjAt = end - 6
  if (standsAt(bytes, endobjAt, 'endobj')) {
    return isEndOfLine(bytes[endobjAt - 1]) && isEndOfLine(bytes[end])
  }
  const next = skipWhiteSpace(bytes, end, Math.min(bytes.length, end + 64))
  if (!isEndOfLine(bytes[next - 1])) return false
  // A word in its place, such as one that is misspelt, stands as it would; a number begins the next object.
  if (!isRegular(bytes[next]) || isDigit(bytes[next])) return true
  let wordEnd = next
  while (isRegular(bytes[wordEnd])) wordEnd++
  return isEndOfLine(bytes[wordEnd])
}

function streamSpelling(bytes: Uint8Array, data: Uint8Array): StreamSpelling | null {
  const dataStart = data.byteOffset - bytes.byteOffset
  const keywordEnd = endOfKeyword(bytes, dataStart)
  const dataEnd = dataStart + data.length
  const endstreamAt = skipWhiteSpace(bytes, dataEnd, Math.min(bytes.length, dataEnd + 64))
  if (keywordEnd === null || !standsAt(bytes, endstreamAt, 'endstream')) return null

  const isLf = bytes[keywordEnd] === LF
  const isCr = bytes[keywordEnd] === CR
  const isCrLf = isCr && bytes[keywordEnd + 1] === LF
  const eol = endOfLineBefore(bytes, endstreamAt)
  // A CR that was read as data, because /Length counts it, is none of the end-of-line.
  const last = eol === 2 && dataEnd === endstreamAt - 1 ? dataEnd : endstreamAt - eol
  const first = keywordEnd + (isCrLf ? 2 : isLf || isCr ? 1 : 0)
  return {
    keywordEol: isLf || isCrLf,
    endstreamEol: isEndOfLine(bytes[endstreamAt - 1]),
    length: last - first,
  }
}

/** Just past the `stream` in front of the data, with an end-of-line and spaces between them or without. */
function endOfKeyword(bytes: Uint8Array, dataStart: number): number | null {
  let at = dataStart - endOfLineBefore(bytes, dataStart)
  while (bytes[at - 1] === 0x20 || bytes[at - 1] === 0x09) at--
  return standsAt(bytes, at - 6, 'stream') ? at : null
}

/** Length of the end-of-line that ends at this position. */
function endOfLineBefore(bytes: Uint8Array, position: number): number {
  if (bytes[position - 1] === LF) return bytes[position - 2] === CR ? 2 : 1
  return bytes[position - 1] === CR ? 1 : 0
}

function isEndOfLine(byte: number | undefined): boolean {
  return byte === LF || byte === CR
}
