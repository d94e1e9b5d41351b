import type { ScanFilter } from './scan-filter.ts'

type Rows = Pick<ScanFilter, 'predictor' | 'colors' | 'bitsPerComponent' | 'columns'>

/**
 * Takes the predictor off decoded data (ISO 32000-2, 7.4.4.4), in its place: the result is never longer. null for
 * parameters with which no viewer reads anything.
 */
export function undoPredictorForScan(data: Uint8Array | null, rows: Rows): Uint8Array | null {
  if (!data || rows.predictor <= 1) return data
  const { colors, bitsPerComponent, columns } = rows
  const isKnown = colors >= 1 && columns >= 1 && [1, 2, 4, 8, 16].includes(bitsPerComponent)
  if (!isKnown) return null
  const rowBytes = Math.ceil((colors * bitsPerComponent * columns) / 8)
  const pixelBytes = Math.ceil((colors * bitsPerComponent) / 8)
  if (rows.predictor >= 10) return undoPng(data, rowBytes, pixelBytes)
  if (rows.predictor === 2) undoTiff(data, rows, rowBytes)
  return data
}

/** Each row has a byte in front that names its filter (PNG, ISO/IEC 15948, 9.2). */
function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  let from = 0
  let to = 0
  while (from + 1 < data.length) {
    const filter = data[from++]
    const above = to - rowBytes
    const end = Math.min(from + rowBytes, data.length)
    for (let column = 0; from < end; column++, from++, to++) {
      const left = column < pixelBytes ? 0 : (data[to - pixelBytes] ?? 0)
      const up = above < 0 ? 0 : (data[above + column] ?? 0)
      const corner = above < 0 || column < pixelBytes ? 0 : (data[above + column - pixelBytes] ?? 0)
      data[to] = (data[from] ?? 0) + predicted(filter, left, up, corner)
    }
  }
  return data.subarray(0, to)
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, corner)
    default:
      return 0
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

/** TIFF 6.0, section 14: each component is a difference to that of the pixel to the left. */
function undoTiff(data: Uint8Array, { colors, bitsPerComponent }: Rows, rowBytes: number): void {
  for (let row = 0; row < data.length; row += rowBytes) {
    const bytes = data.subarray(row, row + rowBytes)
    if (bitsPerComponent === 8) addBytes(bytes, colors)
    else if (bitsPerComponent === 16) addWords(bytes, colors)
    else addBits(bytes, colors, bitsPerComponent)
  }
}

function addBytes(row: Uint8Array, colors: number): void {
  for (let at = colors; at < row.length; at++) row[at] = (row[at] ?? 0) + (row[at - colors] ?? 0)
}

function addWords(row: Uint8Array, colors: number): void {
  const word = (at: number): number => ((row[at] ?? 0) << 8) | (row[at + 1] ?? 0)
  for (let at = colors * 2; at + 1 < row.length; at += 2) {
    const sum = word(at) + word(at - colors * 2)
    row[at] = sum >> 8
    row[at + 1] = sum
  }
}

function addBits(row: Uint8Array, colors: number, bits: number): void {
  const perByte = 8 / bits
  const mask = (1 << bits) - 1
  const shiftOf = (component: number): number => 8 - bits - (component % perByte) * bits
  const valueOf = (component: number): number =>
    ((row[Math.floor(component / perByte)] ?? 0) >> shiftOf(component)) & mask
  for (let component = colors; component < row.length * perByte; component++) {
    const sum = (valueOf(component) + valueOf(component - colors)) & mask
    const at = Math.floor(component / perByte)
    const others = (row[at] ?? 0) & ~(mask << shiftOf(component))
    row[at] = others | (sum << shiftOf(component))
  }
}
