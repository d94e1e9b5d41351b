import { readContent } from '../pdf/content/content-stream.ts'
import {
  decodeStreamPartly,
  filtersOf,
  isFilterName,
  type StreamFilter,
} from '../pdf/filter/decode-stream.ts'
import { isName, PdfStream } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import {
  CR,
  isRegular,
  isWhiteSpace,
  LF,
  skipWhiteSpace,
  standsAt,
} from '../pdf/reading/character-set.ts'
import { ResourceLimitError } from '../pdf/reading/read-limits.ts'
import type { Confusion } from './confusion.ts'
import { objectLocation } from './object-location.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** Streams that pages show and that readers end, begin or decode in different places (rule S3). */
export function contentConfusion({ file, parts, offsetsHold }: TamperEvidence): Confusion[] {
  const found: Confusion[] = []
  for (const [number, page] of parts.streams) {
    const stream = file.graph.get(number)
    // The data of a compressed object is no part of the file.
    if (!(stream instanceof PdfStream) || stream.data.buffer !== file.bytes.buffer) continue
    const faults = streamFaults(placeOf(file, stream, offsetsHold))
    const location = faults.length === 0 ? null : objectLocation(file, number)
    if (location === null) continue
    for (const [description, grave] of faults) {
      found.push({ ...location, page, description, grave })
    }
  }
  return found
}

type Fault = readonly [description: string, grave: boolean]

interface StreamPlace {
  readonly file: PdfFile
  readonly stream: PdfStream
  readonly isImage: boolean
  readonly filters: readonly StreamFilter[]
  readonly dataStart: number
  readonly dataEnd: number
  /** What `/Length` says; null where it says nothing, or nothing that anyone meant. */
  readonly declaredLength: number | null
}

function placeOf(file: PdfFile, stream: PdfStream, isLengthMeant: boolean): StreamPlace {
  const { dictionary, data } = stream
  const dataStart = data.byteOffset - file.bytes.byteOffset
  const declared = isLengthMeant ? file.graph.resolve(dictionary.get('Length')) : null
  return {
    file,
    stream,
    isImage: isName(dictionary.get('Subtype'), 'Image'),
    filters: filtersOf(file.graph, stream),
    dataStart,
    dataEnd: dataStart + data.length,
    declaredLength: typeof declared === 'number' ? declared : null,
  }
}

function streamFaults(place: StreamPlace): Fault[] {
  const faults = [endFault(place), beginFault(place), filterFault(place)].filter(
    (fault) => fault !== null,
  )
  // What readers disagree about is written by hand; encoded content is not decoded for this.
  const isPlain = !place.isImage && place.filters.length === 0
  return isPlain ? [...faults, ...contentFaults(place.stream.data)] : faults
}

/** One reader believes `/Length`, the other the first `endstream`. */
function endFault(place: StreamPlace): Fault | null {
  const { file, stream, isImage, dataStart, dataEnd, declaredLength: declared } = place
  const { bytes } = file
  const early = isImage ? -1 : firstEndOfStream(stream.data)
  if (early >= 0 && drawDifferently(place, stream.data, stream.data.subarray(0, early))) {
    return ['A stream that is shown holds the keyword that ends it.', true]
  }
  if (!isImage && declared !== null && declared > 0 && declared < stream.data.length - 2) {
    const short = bytes.subarray(dataStart, dataStart + declared)
    if (isWhole(short) && drawDifferently(place, stream.data, short)) {
      return ['The length of a stream that is shown leaves out what stands before its end.', true]
    }
  }
  const end = skipWhiteSpace(bytes, dataEnd, bytes.length)
  const isLengthUsed = declared === stream.data.length
  if (bytes[end] === percent || (!isLengthUsed && stream.data.at(-1) === percent)) {
    return ['The end of a stream that is shown stands in a comment.', true]
  }
  // A file that was cut off ends within a stream.
  if (end >= bytes.length) return null
  if (!standsAt(bytes, end, 'endstream') || isRegular(bytes[end + 9])) {
    return ['A stream that is shown has no end of its own.', false]
  }
  return null
}

/** Where an `endstream` begins a line in the data, in a comment or not; -1 if none does. */
function firstEndOfStream(data: Uint8Array): number {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  for (
    let at = buffer.indexOf('endstream', 0, 'latin1');
    at >= 0;
    at = buffer.indexOf('endstream', at + 9, 'latin1')
  ) {
    const before = buffer[at - 1] === percent ? at - 2 : at - 1
    if (before < 0 || buffer[before] === LF || buffer[before] === CR) return at
  }
  return -1
}

/** Whether data that ends here ends as content does and not within a word. */
function isWhole(data: Uint8Array): boolean {
  const last = data.at(-1)
  if (isWhiteSpace(last)) return true
  return last !== undefined && 'STfFBbnQqJjET'.includes(String.fromCharCode(last))
}

function drawDifferently(place: StreamPlace, one: Uint8Array, other: Uint8Array): boolean {
  const [first, second] = [drawnBy(place, one), drawnBy(place, other)]
  return first !== null && second !== null && first > 0 && second > 0 && first !== second
}

/** How many operators that paint are in the content that the data decodes to; null where it is damaged. */
function drawnBy({ file, stream }: StreamPlace, data: Uint8Array): number | null {
  try {
    const decoded = decodeStreamPartly(file.graph, new PdfStream(stream.dictionary, data))
    if (decoded.damaged || decoded.remainingFilters.length > 0) return null
    let painted = 0
    readContent(decoded.bytes, (operator) => {
      if (paintingOperators.has(operator)) painted++
    })
    return painted
  } catch (error) {
    if (error instanceof ResourceLimitError) return null
    throw error
  }
}

/** ISO 32000-2, 7.3.8.1: CR LF or LF follows `stream`. Some readers refuse what others take. */
function beginFault({ file: { bytes }, dataStart }: StreamPlace): Fault | null {
  const before = bytes[dataStart - 1]
  const lineEnd = before === LF && bytes[dataStart - 2] === CR ? 2 : 1
  if (before === LF && standsAt(bytes, dataStart - lineEnd - 6, 'stream')) return null
  const followed = before === LF || before === CR || isWhiteSpace(bytes[dataStart])
  return [
    'The keyword that begins a stream that is shown does not end its line as it must.',
    !followed,
  ]
}

function filterFault({ filters }: StreamPlace): Fault | null {
  const unknown = filters.some(({ name }) => !isFilterName(name))
  return unknown ? ['A stream that is shown has a filter that does not exist.', true] : null
}

function contentFaults(data: Uint8Array): Fault[] {
  const faults: Fault[] = []
  if (holdsUnknownOperator(data)) {
    faults.push(['Content that is shown holds operators that do not exist.', false])
  }
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (holdsPaintingComment(buffer)) {
    faults.push(['Content that would be shown stands in a comment.', false])
  }
  if (data[0] !== undefined && data[0] < 0x09) {
    faults.push(['Content that is shown begins with a control character.', false])
  }
  if (buffer.includes(longLine)) {
    faults.push(['Content that is shown is parted by a very long run of spaces.', false])
  }
  return faults
}

/** Outside of what `BX` and `EX` mark as unknown to older readers (7.8.2). */
function holdsUnknownOperator(data: Uint8Array): boolean {
  let compatible = 0
  let unknown = false
  readContent(data, (operator) => {
    if (operator === 'BX') compatible++
    else if (operator === 'EX') compatible--
    else if (compatible === 0 && !knownOperators.has(operator)) unknown = true
  })
  return unknown
}

/** ISO 32000-2, annex A; `ID` and `EI` come with `BI`. */
const knownOperators = new Set(
  (
    'b B b* B* BDC BI BMC BT c cm CS cs d d0 d1 Do DP EI EMC ET f F f* G g gs h i ID j J K k l m M MP n ' +
    'q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "'
  ).split(' '),
)

const paintingOperators = new Set('b B b* B* Do EI f F f* s S sh Tj TJ \' "'.split(' '))

function holdsPaintingComment(buffer: Buffer): boolean {
  for (let at = buffer.indexOf(percent); at >= 0; at = buffer.indexOf(percent, at + 1)) {
    const startsLine = at === 0 || buffer[at - 1] === LF || buffer[at - 1] === CR
    if (!startsLine) continue
    let end = at
    while (end < buffer.length && buffer[end] !== LF && buffer[end] !== CR) end++
    let painted = false
    readContent(buffer.subarray(at + 1, end), (operator, operands) => {
      painted ||= paintingOperators.has(operator) && operands.length > 0
    })
    if (painted) return true
    at = end
  }
  return false
}

/** Longer than a writer that aligns its columns would have it. */
const longLine = Buffer.alloc(4096, ' ')

const percent = 0x25
