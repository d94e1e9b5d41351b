import { deflate } from './written-stream.ts'
import { openIdentifier } from './file-sink.ts'

/** Where each number of the file stands, by number; entry 0 is the free one. */
export class WrittenEntries {
  /** The offset in the file, or the place in the object stream. */
  readonly #values: Float64Array
  /** 0 for what stands in the file itself. */
  readonly #objectStreams: Int32Array

  constructor(count: number) {
    this.#values = new Float64Array(count)
    this.#objectStreams = new Int32Array(count)
  }

  setOffset(number: number, offset: number): void {
    this.#values[number] = offset
  }

  setCompressed(number: number, objectStream: number, place: number): void {
    this.#values[number] = place
    this.#objectStreams[number] = objectStream
  }

  value(number: number): number {
    return this.#values[number] ?? 0
  }

  objectStream(number: number): number {
    return this.#objectStreams[number] ?? 0
  }
}

export interface SectionContent {
  readonly entries: WrittenEntries
  /** The numbers that the section covers, up to but not with `end`. */
  readonly first: number
  readonly end: number
  /** One more than the highest number that this section and those before it in the file's order know of. */
  readonly size: number
  readonly root: number
  readonly info: number | null
  readonly previous: number | null
}

export interface WrittenSection {
  /** Holds the open identifier once. */
  readonly text: string
  /** From the start of `text` to the white space before the first entry; for a stream that before its object. */
  readonly beforeFirstEntry: number
}

/** A table and its trailer (7.5.4, 7.5.5). `/Prev` has a fixed width, so that the section's length is known before it. */
export function tableSection(content: SectionContent): WrittenSection {
  const { entries, first, end } = content
  const head = `xref\n${first} ${end - first}`
  const lines = [`${head}\n`]
  for (let number = first; number < end; number += 1) {
    const isFree = number === 0
    lines.push(isFree ? '0000000000 65535 f \n' : `${padded(entries.value(number))} 00000 n \n`)
  }
  lines.push(`trailer\n<<${trailerEntries(content)}>>\n`)
  return { text: lines.join(''), beforeFirstEntry: head.length }
}

/**
 * A cross-reference stream (7.5.8).
 *
 * @param number its own
 * @param offsetBytes width of the offsets; large enough for all of the file's
 * @param paddedLength if given, spaces bring the text to this length; must not be less than it takes
 */
export function streamSection(
  content: SectionContent,
  number: number,
  offsetBytes: number,
  paddedLength = 0,
): WrittenSection {
  const { first, end } = content
  const width = 1 + offsetBytes + 1
  const plain = entryBytes(content, offsetBytes)
  const deflated = deflate(predicted(plain, width))
  const data = deflated ?? plain
  const filter = deflated ? `/DecodeParms<</Columns ${width}/Predictor 12>>/Filter/FlateDecode` : ''
  const index = first === 0 ? '' : `/Index[${first} ${end - first}]`

  const before =
    `${number} 0 obj\n<<${filter}` +
    `${index}/Length ${data.length}${trailerEntries(content)}/Type/XRef/W[1 ${offsetBytes} 1]`
  const after = `>>\nstream\n${latin1(data)}\nendstream\nendobj\n`
  const padding = ' '.repeat(Math.max(0, paddedLength - before.length - after.length))
  return { text: before + padding + after, beforeFirstEntry: -1 }
}

/** How many bytes the offset or number takes. */
export function bytesNeeded(value: number): number {
  let bytes = 1
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) bytes += 1
  return bytes
}

function trailerEntries({ size, root, info, previous }: SectionContent): string {
  return (
    openIdentifier +
    (info === null ? '' : `/Info ${info} 0 R`) +
    (previous === null ? '' : `/Prev ${padded(previous)}`) +
    `/Root ${root} 0 R/Size ${size}`
  )
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function padded(offset: number): string {
  return `${offset}`.padStart(10, '0')
}

function entryBytes({ entries, first, end }: SectionContent, offsetBytes: number): Uint8Array {
  const width = 1 + offsetBytes + 1
  const bytes = new Uint8Array((end - first) * width)
  for (let number = Math.max(first, 1); number < end; number += 1) {
    const at = (number - first) * width
    const objectStream = entries.objectStream(number)
    bytes[at] = objectStream > 0 ? 2 : 1
    let value = objectStream > 0 ? objectStream : entries.value(number)
    for (let place = offsetBytes; place > 0; place -= 1) {
      bytes[at + place] = value % 256
      value = Math.floor(value / 256)
    }
    bytes[at + width - 1] = objectStream > 0 ? entries.value(number) : 0
  }
  return bytes
}

/** PNG's Up filter (7.4.4.4): neighbouring entries differ in few bytes. */
function predicted(bytes: Uint8Array, width: number): Uint8Array {
  const rows = bytes.length / width
  const result = new Uint8Array(rows * (width + 1))
  for (let row = 0; row < rows; row += 1) {
    const to = row * (width + 1)
    const from = row * width
    result[to] = 2
    for (let column = 0; column < width; column += 1) {
      const above = row === 0 ? 0 : (bytes[from + column - width] ?? 0)
      result[to + 1 + column] = (bytes[from + column] ?? 0) - above
    }
  }
  return result
}
