import { deflate } from './written-stream.ts'

/** What a reader is told of where the pages are (Annex F.4). Offsets are as if the hint stream were not there. */
export interface Hints {
  readonly firstPageOffset: number
  readonly pages: readonly PageHint[]
  /** Lengths in bytes of all of part 6 and part 8, in order. */
  readonly sharedLengths: readonly number[]
  /** How many of those are in part 6. */
  readonly sharedOnFirstPage: number
  /** The first object of part 8; null without one. */
  readonly firstShared: { readonly number: number; readonly offset: number } | null
  readonly outlines: OutlinesHint | null
}

interface PageHint {
  readonly objects: number
  readonly length: number
  /** Places in `sharedLengths`. */
  readonly shared: readonly number[]
}

interface OutlinesHint {
  readonly firstNumber: number
  readonly offset: number
  readonly objects: number
  readonly length: number
}

/** The text of the hint stream's dictionary and its data. */
export function hintStream(hints: Hints): { text: string; data: Uint8Array } {
  const bits = new BitWriter()
  writePageOffsets(bits, hints)
  const sharedAt = bits.byteLength
  writeSharedObjects(bits, hints)
  const outlinesAt = bits.byteLength
  if (hints.outlines) writeOutlines(bits, hints.outlines)

  const plain = bits.toBytes()
  const deflated = deflate(plain)
  const data = deflated ?? plain
  const filter = deflated ? '/Filter/FlateDecode' : ''
  const outlines = hints.outlines ? `/O ${outlinesAt}` : ''
  return { text: `<<${filter}/Length ${data.byteLength}${outlines}/S ${sharedAt}>>`, data }
}

/** F.4.2, tables F.3 and F.4. Each row of entries begins on a byte. */
function writePageOffsets(bits: BitWriter, { firstPageOffset, pages, sharedLengths }: Hints): void {
  const objects = rangeOf(pages.map((page) => page.objects))
  const lengths = rangeOf(pages.map((page) => page.length))
  const mostShared = pages.reduce((most, { shared }) => Math.max(most, shared.length), 0)
  const sharedCountBits = bitsNeeded(mostShared)
  const identifierBits = bitsNeeded(sharedLengths.length)

  bits.write(objects.least, 32)
  bits.write(firstPageOffset, 32)
  bits.write(objects.bits, 16)
  bits.write(lengths.least, 32)
  bits.write(lengths.bits, 16)
  // Content offsets are always 0 and content lengths those of the page, as Acrobat writes and expects them.
  bits.write(0, 32)
  bits.write(0, 16)
  bits.write(lengths.least, 32)
  bits.write(lengths.bits, 16)
  bits.write(sharedCountBits, 16)
  bits.write(identifierBits, 16)
  // Fractional positions of shared objects within a page: none is told, so the numerators take no bits.
  bits.write(0, 16)
  bits.write(4, 16)

  bits.writeRow(
    pages.map((page) => page.objects - objects.least),
    objects.bits,
  )
  bits.writeRow(
    pages.map((page) => page.length - lengths.least),
    lengths.bits,
  )
  bits.writeRow(
    pages.map((page) => page.shared.length),
    sharedCountBits,
  )
  bits.writeRow(
    pages.flatMap((page) => page.shared),
    identifierBits,
  )
  bits.writeRow(
    pages.map((page) => page.length - lengths.least),
    lengths.bits,
  )
}

/** F.4.3, tables F.5 and F.6: groups of one object each, without signatures. */
function writeSharedObjects(bits: BitWriter, hints: Hints): void {
  const lengths = rangeOf(hints.sharedLengths)
  bits.write(hints.firstShared?.number ?? 0, 32)
  bits.write(hints.firstShared?.offset ?? 0, 32)
  bits.write(hints.sharedOnFirstPage, 32)
  bits.write(hints.sharedLengths.length, 32)
  bits.write(0, 16)
  bits.write(lengths.least, 32)
  bits.write(lengths.bits, 16)
  bits.writeRow(
    hints.sharedLengths.map((length) => length - lengths.least),
    lengths.bits,
  )
  bits.writeRow(
    hints.sharedLengths.map(() => 0),
    1,
  )
}

/** F.4.5, table F.9. */
function writeOutlines(bits: BitWriter, outlines: OutlinesHint): void {
  bits.write(outlines.firstNumber, 32)
  bits.write(outlines.offset, 32)
  bits.write(outlines.objects, 32)
  bits.write(outlines.length, 32)
}

function rangeOf(values: readonly number[]): { least: number; bits: number } {
  if (values.length === 0) return { least: 0, bits: 0 }
  let least = Infinity
  let most = 0
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return { least, bits: bitsNeeded(most - least) }
}

function bitsNeeded(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log2(value)) + 1
}

/** Most significant bit first. */
class BitWriter {
  readonly #bytes: number[] = []
  #pending = 0
  #free = 8

  get byteLength(): number {
    return this.#bytes.length
  }

  /** @param bits at most 32 */
  write(value: number, bits: number): void {
    for (let left = bits; left > 0;) {
      const taken = Math.min(left, this.#free)
      left -= taken
      this.#free -= taken
      this.#pending |= ((value >>> left) & (2 ** taken - 1)) << this.#free
      if (this.#free === 0) this.#flush()
    }
  }

  writeRow(values: readonly number[], bits: number): void {
    for (const value of values) this.write(value, bits)
    if (this.#free < 8) this.#flush()
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }

  #flush(): void {
    this.#bytes.push(this.#pending)
    this.#pending = 0
    this.#free = 8
  }
}
