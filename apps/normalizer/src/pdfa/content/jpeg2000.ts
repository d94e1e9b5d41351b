import type { PdfStream } from '../../pdf/object.ts'
import { decodeStreamPartly, type FilterGraph, filtersOf } from '../../pdf/filter/decode-stream.ts'

/** What the boxes of JPEG 2000 data say (ISO/IEC 15444-1, annex I); null where they do not. */
export interface Jpeg2000 {
  readonly channels: number | null
  readonly bitDepth: number | null
  /** The channels may have depths of their own. */
  readonly hasDepths: boolean
  /** `colr` boxes. */
  readonly colourSpaces: number
  /** Those of them that say that they are to be used. */
  readonly preferred: number
  /** Of the one that is to be used: its method, and its number among those that are counted. */
  readonly method: number | null
  readonly enumerated: number | null
}

/** null for a stream of other data, which is left as it is: images can be larger than what a document may expand to. */
export function readJpeg2000(graph: FilterGraph, stream: PdfStream): Jpeg2000 | null {
  if (!filtersOf(graph, stream).some(({ name }) => name === 'JPXDecode')) return null
  const { bytes, remainingFilters } = decodeStreamPartly(graph, stream)
  return remainingFilters[0] === 'JPXDecode' ? readBoxes(bytes) : null
}

/** The colour space that enumerated colour space 12 is (ISO/IEC 15444-2, M.11.7.3.1). */
export const enumeratedCmyk = 12

function readBoxes(bytes: Uint8Array): Jpeg2000 {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [signature] = boxesIn(data, 0, data.byteLength)
  if (signature?.type !== signatureBox) return noBoxes
  for (const { type, start, end } of boxesIn(data, 0, data.byteLength)) {
    if (type === headerBox) return readHeader(data, start, end)
  }
  return noBoxes
}

const noBoxes: Jpeg2000 = {
  channels: null,
  bitDepth: null,
  hasDepths: false,
  colourSpaces: 0,
  preferred: 0,
  method: null,
  enumerated: null,
}

/** I.5.3. */
function readHeader(data: DataView, from: number, to: number): Jpeg2000 {
  let channels: number | null = null
  let bitDepth: number | null = null
  let hasDepths = false
  const colours: Colour[] = []
  for (const { type, start, end } of boxesIn(data, from, to)) {
    if (type === imageHeaderBox && end - start >= 11) {
      channels = data.getUint16(start + 8)
      // One less than the depth; the highest bit says that values are signed, all bits that depths differ.
      bitDepth = data.getUint8(start + 10) + 1
    } else if (type === depthsBox) hasDepths = true
    else if (type === colourBox && end - start >= 3) {
      const method = data.getUint8(start)
      const isEnumerated = method === 1 && end - start >= 7
      colours.push({
        method,
        isPreferred: data.getUint8(start + 2) === 1,
        enumerated: isEnumerated ? data.getUint32(start + 3) : null,
      })
    }
  }
  const preferred = colours.filter(({ isPreferred }) => isPreferred)
  const used = colours.length === 1 ? colours[0] : preferred[0]
  return {
    channels,
    bitDepth,
    hasDepths,
    colourSpaces: colours.length,
    preferred: preferred.length,
    method: used?.method ?? null,
    enumerated: used?.enumerated ?? null,
  }
}

interface Colour {
  readonly method: number
  readonly isPreferred: boolean
  readonly enumerated: number | null
}

interface Box {
  readonly type: number
  /** Of what it holds. */
  readonly start: number
  readonly end: number
}

/** I.4: length and type; 1 announces a length of 8 bytes, 0 a box that goes on to the end. */
function* boxesIn(data: DataView, from: number, to: number): Generator<Box> {
  for (let at = from, left = maxBoxes; left > 0 && at + 8 <= to; left--) {
    const type = data.getUint32(at + 4)
    let length = data.getUint32(at)
    let head = 8
    if (length === 1) {
      if (at + 16 > to) return
      length = data.getUint32(at + 8) * 2 ** 32 + data.getUint32(at + 12)
      head = 16
    } else if (length === 0) length = to - at
    if (length < head) return
    yield { type, start: at + head, end: Math.min(to, at + length) }
    at += length
  }
}

/** No image has as many. */
const maxBoxes = 10_000

function boxType(name: string): number {
  return Buffer.from(name, 'latin1').readUInt32BE()
}

const signatureBox = boxType('jP  ')
const headerBox = boxType('jp2h')
const imageHeaderBox = boxType('ihdr')
const depthsBox = boxType('bpcc')
const colourBox = boxType('colr')
