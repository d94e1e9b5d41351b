/**
 * Decodes deflate data (RFC 1951) up to the fault in it, where zlib's synchronous interface gives nothing: one pass,
 * whatever the fault. null if there is more than `maxBytes`.
 *
 * @param start where the data begins, behind a zlib header (RFC 1950) if there is one
 */
export function inflateUpToFault(
  data: Uint8Array,
  start: number,
  maxBytes: number,
): Uint8Array | null {
  const output = new Output(maxBytes)
  const bits = new BitReader(data, start)
  try {
    for (let last = false; !last;) {
      last = bits.take(1) === 1
      inflateBlock(bits, output)
    }
  } catch (error) {
    if (!(error instanceof DeflateFault)) throw error
  }
  return output.overflowed ? null : output.bytes()
}

/** The data ends or cannot be; what was decoded until then stands. */
class DeflateFault extends Error {}

function inflateBlock(bits: BitReader, output: Output): void {
  switch (bits.take(2)) {
    case 0:
      return copyStored(bits, output)
    case 1:
      return inflateCodes(bits, output, fixedLiterals, fixedDistances)
    case 2: {
      const { literals, distances } = readTables(bits)
      return inflateCodes(bits, output, literals, distances)
    }
    default:
      throw new DeflateFault()
  }
}

/** 3.2.4. */
function copyStored(bits: BitReader, output: Output): void {
  bits.alignToByte()
  const length = bits.take(16)
  if ((length ^ bits.take(16)) !== 0xffff) throw new DeflateFault()
  for (let i = 0; i < length; i++) output.put(bits.take(8))
}

/** 3.2.3 and 3.2.5. */
function inflateCodes(bits: BitReader, output: Output, literals: Code, distances: Code): void {
  for (;;) {
    const symbol = bits.decode(literals)
    if (symbol < 256) {
      output.put(symbol)
      continue
    }
    if (symbol === 256) return

    const lengthBase = lengthBases[symbol - 257]
    if (lengthBase === undefined) throw new DeflateFault()
    const length = lengthBase + bits.take(lengthExtraBits[symbol - 257] ?? 0)
    const distanceSymbol = bits.decode(distances)
    const distanceBase = distanceBases[distanceSymbol]
    if (distanceBase === undefined) throw new DeflateFault()
    const extra = distanceSymbol < 4 ? 0 : (distanceSymbol >> 1) - 1
    output.repeat(distanceBase + bits.take(extra), length)
  }
}

/** 3.2.7. */
function readTables(bits: BitReader): { literals: Code; distances: Code } {
  const literalCount = bits.take(5) + 257
  const distanceCount = bits.take(5) + 1
  const codeLengthCount = bits.take(4) + 4
  const codeLengths = new Uint8Array(19)
  for (let i = 0; i < codeLengthCount; i++) codeLengths[codeLengthOrder[i] ?? 0] = bits.take(3)
  const code = codeOf(codeLengths)

  const lengths = new Uint8Array(literalCount + distanceCount)
  for (let at = 0; at < lengths.length;) {
    const symbol = bits.decode(code)
    if (symbol < 16) {
      lengths[at++] = symbol
      continue
    }
    if (symbol === 16 && at === 0) throw new DeflateFault()
    const repeated = symbol === 16 ? (lengths[at - 1] ?? 0) : 0
    const count =
      symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)
    if (at + count > lengths.length) throw new DeflateFault()
    lengths.fill(repeated, at, at + count)
    at += count
  }
  return {
    literals: codeOf(lengths.subarray(0, literalCount)),
    distances: codeOf(lengths.subarray(literalCount)),
  }
}

/** A Huffman code: how many codes there are of each length, and the symbols in the order of their codes (3.2.2). */
interface Code {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
  /** By the next nine bits: symbol and length of the code that they begin with; 0 if it is longer. */
  readonly short: Uint16Array
}

const maxCodeLength = 15
const shortBits = 9

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(maxCodeLength + 1)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  counts[0] = 0
  let left = 1
  for (let length = 1; length <= maxCodeLength; length++) {
    left = left * 2 - (counts[length] ?? 0)
    if (left < 0) throw new DeflateFault()
  }

  const symbolStart = new Uint16Array(maxCodeLength + 2)
  const nextCode = new Uint16Array(maxCodeLength + 2)
  for (let length = 1; length <= maxCodeLength; length++) {
    symbolStart[length + 1] = (symbolStart[length] ?? 0) + (counts[length] ?? 0)
    nextCode[length + 1] = ((nextCode[length] ?? 0) + (counts[length] ?? 0)) << 1
  }
  const symbols = new Uint16Array(lengths.length)
  const short = new Uint16Array(1 << shortBits)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const place = symbolStart[length] ?? 0
    symbols[place] = symbol
    symbolStart[length] = place + 1
    const code = nextCode[length] ?? 0
    nextCode[length] = code + 1
    if (length > shortBits) continue
    const step = 1 << length
    for (let at = reversed(code, length); at < short.length; at += step) {
      short[at] = (symbol << 4) | length
    }
  }
  return { counts, symbols, short }
}

/** Codes are packed from their highest bit on (3.1.1), all else from its lowest. */
function reversed(code: number, length: number): number {
  let result = 0
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit)
  return result
}

class BitReader {
  readonly #data: Uint8Array
  #position: number
  #held = 0
  #heldBits = 0

  constructor(data: Uint8Array, start: number) {
    this.#data = data
    this.#position = start
  }

  take(count: number): number {
    while (this.#heldBits < count) this.#hold()
    const value = this.#held & ((1 << count) - 1)
    this.#drop(count)
    return value
  }

  alignToByte(): void {
    this.#drop(this.#heldBits & 7)
  }

  decode({ counts, symbols, short }: Code): number {
    while (this.#heldBits < maxCodeLength && this.#position < this.#data.length) this.#hold()
    const entry = short[this.#held & ((1 << shortBits) - 1)] ?? 0
    const shortLength = entry & 15
    if (shortLength > 0) {
      if (shortLength > this.#heldBits) throw new DeflateFault()
      this.#drop(shortLength)
      return entry >> 4
    }

    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= maxCodeLength; length++) {
      if (length > this.#heldBits) break
      code |= (this.#held >> (length - 1)) & 1
      const count = counts[length] ?? 0
      if (code - count < first) {
        this.#drop(length)
        return symbols[index + code - first] ?? 0
      }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new DeflateFault()
  }

  #hold(): void {
    const byte = this.#data[this.#position++]
    if (byte === undefined) throw new DeflateFault()
    this.#held |= byte << this.#heldBits
    this.#heldBits += 8
  }

  #drop(count: number): void {
    this.#held >>>= count
    this.#heldBits -= count
  }
}

class Output {
  overflowed = false
  readonly #maxBytes: number
  #bytes = new Uint8Array(64 * 1024)
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  put(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  repeat(distance: number, length: number): void {
    if (distance > this.#length) throw new DeflateFault()
    this.#reserve(length)
    const bytes = this.#bytes
    let to = this.#length
    this.#length += length
    // Byte by byte: what is repeated may only come about here.
    for (let from = to - distance; to < this.#length;) bytes[to++] = bytes[from++] ?? 0
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    if (needed > this.#maxBytes) {
      this.overflowed = true
      throw new DeflateFault()
    }
    const larger = new Uint8Array(
      Math.min(Math.max(needed, this.#bytes.length * 2), this.#maxBytes),
    )
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** 3.2.5. */
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
]
const lengthExtraBits = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577,
]

/** 3.2.7. */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** 3.2.6. */
const fixedLiterals = codeOf(
  Uint8Array.from({ length: 288 }, (_, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  ),
)
const fixedDistances = codeOf(new Uint8Array(30).fill(5))
