import type { Undone } from './undone.ts'
import type { PdfObject } from '../object.ts'

/** Undoes `/Predictor` of FlateDecode and LZWDecode (ISO 32000-2, 7.4.4.4); `parameter` gives the resolved entries. */
export function undoPredictor(decoded: Undone, parameter: (key: string) => PdfObject): Undone {
  const predictor = integer(parameter('Predictor'), 1, 1, 15)
  if (predictor < 2) return decoded

  const colors = integer(parameter('Colors'), 1, 1, 256)
  const bitsPerComponent = integer(parameter('BitsPerComponent'), 8, 1, 32)
  const columns = integer(parameter('Columns'), 1, 1, 0x7fffffff)
  const rowBytes = Math.ceil((columns * colors * bitsPerComponent) / 8)
  const pixelBytes = Math.max(1, (colors * bitsPerComponent) >> 3)

  const bytes =
    predictor === 2
      ? undoTiff(decoded.bytes, rowBytes, columns, colors, bitsPerComponent)
      : undoPng(decoded.bytes, rowBytes, pixelBytes)
  return { bytes, damaged: decoded.damaged }
}

function integer(object: PdfObject, fallback: number, least: number, most: number): number {
  return typeof object === 'number' && Number.isInteger(object) && object >= least && object <= most
    ? object
    : fallback
}

/** PNG filters (W3C PNG, section 9): each row has a byte that names its filter. A row that breaks off ends there. */
function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1))
  const output = new Uint8Array(Math.max(0, data.length - rows))
  let length = 0
  for (let row = 0; row < rows; row++) {
    const source = row * (rowBytes + 1)
    const count = Math.min(rowBytes, data.length - source - 1)
    const above = row === 0 ? -1 : length - rowBytes
    undoPngRow(data, source, output, length, count, above, pixelBytes)
    length += count
  }
  return output
}

function undoPngRow(
  data: Uint8Array,
  source: number,
  output: Uint8Array,
  target: number,
  count: number,
  above: number,
  pixelBytes: number,
): void {
  const from = source + 1
  switch (data[source]) {
    case 1:
      for (let i = 0; i < count; i++) {
        const left = i < pixelBytes ? 0 : (output[target + i - pixelBytes] ?? 0)
        output[target + i] = (data[from + i] ?? 0) + left
      }
      return
    case 2:
      for (let i = 0; i < count; i++) {
        const up = above < 0 ? 0 : (output[above + i] ?? 0)
        output[target + i] = (data[from + i] ?? 0) + up
      }
      return
    case 3:
      for (let i = 0; i < count; i++) {
        const left = i < pixelBytes ? 0 : (output[target + i - pixelBytes] ?? 0)
        const up = above < 0 ? 0 : (output[above + i] ?? 0)
        output[target + i] = (data[from + i] ?? 0) + ((left + up) >> 1)
      }
      return
    case 4:
      for (let i = 0; i < count; i++) {
        const left = i < pixelBytes ? 0 : (output[target + i - pixelBytes] ?? 0)
        const up = above < 0 ? 0 : (output[above + i] ?? 0)
        const corner = above < 0 || i < pixelBytes ? 0 : (output[above + i - pixelBytes] ?? 0)
        output[target + i] = (data[from + i] ?? 0) + paeth(left, up, corner)
      }
      return
    default:
      output.set(data.subarray(from, from + count), target)
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const toLeft = Math.abs(estimate - left)
  const toUp = Math.abs(estimate - up)
  const toCorner = Math.abs(estimate - corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** TIFF 6.0, section 14: each component is the difference to the same component of the pixel before it. */
function undoTiff(
  data: Uint8Array,
  rowBytes: number,
  columns: number,
  colors: number,
  bitsPerComponent: number,
): Uint8Array {
  const output = new Uint8Array(data)
  for (let row = 0; row < output.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, output.length)
    if (bitsPerComponent === 8) {
      for (let at = row + colors; at < end; at++) {
        output[at] = (output[at] ?? 0) + (output[at - colors] ?? 0)
      }
    } else if (bitsPerComponent === 16) {
      for (let at = row + colors * 2; at + 1 < end; at += 2) {
        const before = at - colors * 2
        const value = word(output, at) + word(output, before)
        output[at] = value >> 8
        output[at + 1] = value
      }
    } else if (bitsPerComponent < 8) {
      undoTiffBits(output, row, end, columns, colors, bitsPerComponent)
    }
  }
  return output
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

function undoTiffBits(
  output: Uint8Array,
  row: number,
  end: number,
  columns: number,
  colors: number,
  bits: number,
): void {
  const mask = (1 << bits) - 1
  const before = new Uint8Array(colors)
  const components = Math.min(columns * colors, Math.floor(((end - row) * 8) / bits))
  for (let i = 0; i < components; i++) {
    const bit = i * bits
    const at = row + (bit >> 3)
    // A component may lie across two bytes when its width does not divide eight.
    const shift = 16 - bits - (bit & 7)
    const pair = word(output, at)
    const component = i % colors
    const value = (((pair >> shift) & mask) + (before[component] ?? 0)) & mask
    before[component] = value
    const changed = (pair & ~(mask << shift)) | (value << shift)
    output[at] = changed >> 8
    if (at + 1 < end) output[at + 1] = changed
  }
}
