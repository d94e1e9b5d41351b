import { deflate } from './written-stream.ts'
import { openIdentifier } from './file-sink.ts'

/** What one number of the file holds; entry 0 of a section that begins there is the free one. */
export type WrittenEntry =
  | { readonly offset: number }
  | { readonly objectStream: number; readonly index: number }

export interface SectionContent {
  readonly first: number
  readonly entries: readonly WrittenEntry[]
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
  const { first, entries } = content
  const head = `xref\n${first} ${entries.length}`
  let text = `${head}\n`
  for (const [index, entry] of entries.entries()) {
    if (first + index === 0) text += '0000000000 65535 f \n'
    else text += `${padded('offset' in entry ? entry.offset : 0)} 00000 n \n`
  }
  text += `trailer\n<<${trailerEntries(content)}>>\n`
  return { text, beforeFirstEntry: head.length }
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
  const { first, entries } = content
  const width = 1 + offsetBytes + 1
  const plain = entryBytes(first, entries, offsetBytes)
  const deflated = deflate(predicted(plain, width))
  const data = deflated ?? plain
  const filter = deflated ? `/DecodeParms<</Columns ${width}/Predictor 12>>/Filter/FlateDecode` : ''
  const index = first === 0 ? '' : `/Index[${first} ${entries.length}]`

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

function entryBytes(
  first: number,
  entries: readonly WrittenEntry[],
  offsetBytes: number,
): Uint8Array {
  const width = 1 + offsetBytes + 1
  const bytes = new Uint8Array(entries.length * width)
  for (const [index, entry] of entries.entries()) {
    if (first + index === 0) continue
    const at = index * width
    const compressed = 'objectStream' in entry
    bytes[at] = compressed ? 2 : 1
    let value = compressed ? entry.objectStream : entry.offset
    for (let place = offsetBytes; place > 0; place -= 1) {
      bytes[at + place] = value % 256
      value = Math.floor(value / 256)
    }
    bytes[at + width - 1] = compressed ? entry.index : 0
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
