import { CR, isDigit, isWhiteSpace, LF, standsAt } from './character-set.ts'
import { type IndirectObject, readIndirectObject, type ReadingContext } from './indirect-object.ts'
import type { LexicalFacts } from '../pdf-file.ts'

/** Looks at the bytes around the object at this offset. @throws {ResourceLimitError} */
export function lexicalFactsAt(context: ReadingContext, offset: number): LexicalFacts {
  const { bytes } = context
  const read = readIndirectObject(context, offset)
  if (read === null) throw new RangeError(`no object at ${offset}`)
  const { stream } = read
  return {
    objectSpacing: hasObjectSpacing(bytes, read),
    endobjSpacing:
      read.endobjAt >= 0 &&
      isEndOfLine(bytes[read.endobjAt - 1]) &&
      isEndOfLine(bytes[read.endobjAt + 6]),
    streamKeywordEol:
      stream === null
        ? null
        : bytes[stream.keywordEnd] === LF ||
          (bytes[stream.keywordEnd] === CR && bytes[stream.keywordEnd + 1] === LF),
    endstreamEol:
      stream === null ? null : stream.endstreamAt > 0 && isEndOfLine(bytes[stream.endstreamAt - 1]),
    declaredLength: stream === null ? null : stream.declaredLength,
    actualLength: stream === null ? null : stream.dataEnd - stream.dataStart,
    malformedHexStrings: read.malformedHexStrings,
  }
}

/** An end-of-line before the number and behind `obj`, and one white-space character between the three. */
function hasObjectSpacing(bytes: Uint8Array, { start, bodyStart }: IndirectObject): boolean {
  if (start > 0 && !isEndOfLine(bytes[start - 1])) return false
  let at = start
  while (isDigit(bytes[at])) at++
  if (!isWhiteSpace(bytes[at]) || !isDigit(bytes[at + 1])) return false
  at++
  while (isDigit(bytes[at])) at++
  return isWhiteSpace(bytes[at]) && standsAt(bytes, at + 1, 'obj') && isEndOfLine(bytes[bodyStart])
}

function isEndOfLine(byte: number | undefined): boolean {
  return byte === LF || byte === CR
}
