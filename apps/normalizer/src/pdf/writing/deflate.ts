import { findMatches, longestMatch, shortestMatch } from './earlier-matches.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { assignCode, assignCodes, type HuffmanCode } from './huffman-code.ts'

/**
 * Zlib data (RFC 1950, RFC 1951). The same data gives the same bytes on every machine, which no build of zlib promises
 * (docs/decisions/0002-deterministic-deflate.md).
 */
export function zlibOf(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bits = new BitStream(64 + (data.length >> 1))
  // Deflate, a window of 32 KiB; a check value that makes both bytes a multiple of 31.
  bits.put(0x78, 8)
  bits.put(0x9c, 8)
  const block = new Block(data, bits)
  findMatches(data, block)
  block.end(true)
  bits.fillByte()
  return bits.withChecksum(adler32(data))
}

/** Symbols of one block: with more its codes fit worse, with fewer they cost more. */
const mostSymbols = 16_384
const endOfBlock = 256

/** Of the block that is being made; only one is at a time, and a document may have a hundred thousand. */
const literalsAndLengths = new Uint16Array(mostSymbols)
/** 0 for literals. */
const distances = new Uint16Array(mostSymbols)
const symbolFrequencies = new Uint32Array(286)
const distanceFrequencies = new Uint32Array(30)
const symbolCode = emptyCode(286)
const distanceCode = emptyCode(30)

class Block {
  readonly #data: Uint8Array
  readonly #bits: BitStream
  #count = 0
  /** What of the data the symbols stand for. */
  #from = 0
  #to = 0

  constructor(data: Uint8Array, bits: BitStream) {
    this.#data = data
    this.#bits = bits
    symbolFrequencies.fill(0)
    distanceFrequencies.fill(0)
  }

  readonly literal = (byte: number): void => {
    if (this.#count === mostSymbols) this.end(false)
    literalsAndLengths[this.#count] = byte
    distances[this.#count] = 0
    increment(symbolFrequencies, byte)
    this.#count += 1
    this.#to += 1
  }

  readonly match = (length: number, distance: number): void => {
    if (this.#count === mostSymbols) this.end(false)
    literalsAndLengths[this.#count] = length
    distances[this.#count] = distance
    increment(symbolFrequencies, 257 + (lengthSymbols[length] ?? 0))
    increment(distanceFrequencies, symbolsOfDistances[distance] ?? 0)
    this.#count += 1
    this.#to += length
  }

  /** Writes the block in the way that takes the fewest bits, and begins another. */
  end(isLast: boolean): void {
    increment(symbolFrequencies, endOfBlock)
    assignCode(symbolFrequencies, 15, symbolCode)
    assignCode(distanceFrequencies, 15, distanceCode)
    const header = new DynamicHeader()
    const bytes = this.#to - this.#from
    const storedBits = 8 * bytes + 40 * Math.max(1, Math.ceil(bytes / mostStored))
    const dynamicBits = header.bits + bitsWith(symbolCode, distanceCode)
    const fixedBits = bitsWith(fixedSymbolCode, fixedDistanceCode)

    if (storedBits < Math.min(dynamicBits, fixedBits)) this.#writeStored(isLast)
    else {
      const isFixed = fixedBits <= dynamicBits
      this.#bits.put(isLast ? 1 : 0, 1)
      this.#bits.put(isFixed ? 1 : 2, 2)
      if (isFixed) this.#writeSymbols(fixedSymbolCode, fixedDistanceCode)
      else {
        header.write(this.#bits)
        this.#writeSymbols(symbolCode, distanceCode)
      }
    }
    this.#count = 0
    this.#from = this.#to
    symbolFrequencies.fill(0)
    distanceFrequencies.fill(0)
  }

  /** RFC 1951, 3.2.4. */
  #writeStored(isLast: boolean): void {
    for (let from = this.#from; from < this.#to; from += mostStored) {
      const to = Math.min(from + mostStored, this.#to)
      this.#bits.put(isLast && to === this.#to ? 1 : 0, 3)
      this.#bits.fillByte()
      this.#bits.put(to - from, 16)
      this.#bits.put(~(to - from) & 0xffff, 16)
      this.#bits.copy(this.#data, from, to)
    }
  }

  #writeSymbols(symbols: HuffmanCode, distanceSymbols: HuffmanCode): void {
    const bits = this.#bits
    const putSymbol = ({ codes, lengths }: HuffmanCode, symbol: number): void =>
      bits.put(codes[symbol] ?? 0, lengths[symbol] ?? 0)
    for (let index = 0; index < this.#count; index += 1) {
      const value = literalsAndLengths[index] ?? 0
      const distance = distances[index] ?? 0
      if (distance === 0) {
        putSymbol(symbols, value)
        continue
      }
      const lengthSymbol = lengthSymbols[value] ?? 0
      putSymbol(symbols, 257 + lengthSymbol)
      bits.put(value - (lengthBases[lengthSymbol] ?? 0), lengthExtraBits[lengthSymbol] ?? 0)
      const symbol = symbolsOfDistances[distance] ?? 0
      putSymbol(distanceSymbols, symbol)
      bits.put(distance - (distanceBases[symbol] ?? 0), distanceExtraBits[symbol] ?? 0)
    }
    putSymbol(symbols, endOfBlock)
  }
}

const mostStored = 65_535

function emptyCode(symbols: number): HuffmanCode {
  return { lengths: new Uint8Array(symbols), codes: new Uint16Array(symbols) }
}

function increment(frequencies: Uint32Array, symbol: number): void {
  frequencies[symbol] = (frequencies[symbol] ?? 0) + 1
}

/** What the symbols of the block take with these codes. */
function bitsWith(symbols: HuffmanCode, distanceSymbols: HuffmanCode): number {
  let bits = 0
  for (let symbol = 0; symbol < 286; symbol += 1) {
    const extra = symbol > endOfBlock ? (lengthExtraBits[symbol - 257] ?? 0) : 0
    bits += (symbolFrequencies[symbol] ?? 0) * ((symbols.lengths[symbol] ?? 0) + extra)
  }
  for (let symbol = 0; symbol < 30; symbol += 1) {
    const extra = distanceExtraBits[symbol] ?? 0
    bits += (distanceFrequencies[symbol] ?? 0) * ((distanceSymbols.lengths[symbol] ?? 0) + extra)
  }
  return bits
}

/** Each with its extra bits above the five of its symbol. */
const runs = new Uint16Array(286 + 30)
const runFrequencies = new Uint32Array(19)
const runCode = emptyCode(19)
const allLengths = new Uint8Array(286 + 30)

/** The codes of a block, as they stand before its symbols (RFC 1951, 3.2.7). */
class DynamicHeader {
  readonly bits: number
  readonly #symbols = Math.max(257, 1 + lastUsed(symbolCode.lengths))
  readonly #distances = Math.max(1, 1 + lastUsed(distanceCode.lengths))
  readonly #runLengths: number
  #runs = 0

  constructor() {
    allLengths.set(symbolCode.lengths)
    allLengths.set(distanceCode.lengths.subarray(0, this.#distances), this.#symbols)
    runFrequencies.fill(0)
    this.#findRuns(this.#symbols + this.#distances)
    assignCode(runFrequencies, 7, runCode)
    let count = 19
    while (count > 4 && runCode.lengths[headerOrder[count - 1] ?? 0] === 0) count -= 1
    this.#runLengths = count
    let bits = 14 + 3 * count
    for (let symbol = 0; symbol < 19; symbol += 1) {
      const length = (runCode.lengths[symbol] ?? 0) + extraBitsOfRun(symbol)
      bits += (runFrequencies[symbol] ?? 0) * length
    }
    this.bits = bits
  }

  write(into: BitStream): void {
    into.put(this.#symbols - 257, 5)
    into.put(this.#distances - 1, 5)
    into.put(this.#runLengths - 4, 4)
    for (const symbol of headerOrder.slice(0, this.#runLengths)) {
      into.put(runCode.lengths[symbol] ?? 0, 3)
    }
    for (let at = 0; at < this.#runs; at += 1) {
      const run = runs[at] ?? 0
      const symbol = run & 31
      into.put(runCode.codes[symbol] ?? 0, runCode.lengths[symbol] ?? 0)
      into.put(run >>> 5, extraBitsOfRun(symbol))
    }
  }

  #findRuns(count: number): void {
    for (let at = 0; at < count;) {
      const length = allLengths[at] ?? 0
      let end = at + 1
      while (end < count && allLengths[end] === length) end += 1
      let left = end - at
      if (length > 0) {
        this.#addRun(length, 0)
        left -= 1
      }
      while (left >= 3) {
        const taken = Math.min(left, length > 0 ? 6 : 138)
        if (length > 0) this.#addRun(16, taken - 3)
        else this.#addRun(taken <= 10 ? 17 : 18, taken <= 10 ? taken - 3 : taken - 11)
        left -= taken
      }
      for (; left > 0; left -= 1) this.#addRun(length, 0)
      at = end
    }
  }

  #addRun(symbol: number, extra: number): void {
    runs[this.#runs++] = symbol | (extra << 5)
    increment(runFrequencies, symbol)
  }
}

function lastUsed(lengths: Uint8Array): number {
  let last = lengths.length - 1
  while (last >= 0 && lengths[last] === 0) last -= 1
  return last
}

function extraBitsOfRun(symbol: number): number {
  return symbol < 16 ? 0 : symbol === 16 ? 2 : symbol === 17 ? 3 : 7
}

/** RFC 1951, 3.2.7. */
const headerOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** RFC 1951, 3.2.5. The longest match has a symbol of its own. */
const lengthExtraBits = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]
const lengthBases = basesOf(lengthExtraBits, shortestMatch).with(28, longestMatch)
const distanceExtraBits = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1))
const distanceBases = basesOf(distanceExtraBits, 1)
/** By length, and by distance. */
const lengthSymbols = symbolsByValue(lengthBases, longestMatch)
const symbolsOfDistances = symbolsByValue(distanceBases, 32_768)

/** RFC 1951, 3.2.6. */
const fixedSymbolCode = emptyCode(288)
fixedSymbolCode.lengths.fill(8).fill(9, 144, 256).fill(7, 256, 280)
assignCodes(fixedSymbolCode)
const fixedDistanceCode = emptyCode(30)
fixedDistanceCode.lengths.fill(5)
assignCodes(fixedDistanceCode)

function basesOf(extraBits: readonly number[], first: number): number[] {
  let base = first
  return extraBits.map((bits) => {
    base += 1 << bits
    return base - (1 << bits)
  })
}

function symbolsByValue(bases: readonly number[], highest: number): Uint8Array {
  const symbols = new Uint8Array(highest + 1)
  for (const [symbol, base] of bases.entries()) symbols.fill(symbol, base)
  return symbols
}

/** Least significant bit first (RFC 1951, 3.1.1). */
class BitStream {
  readonly #bytes: GrowingBytes
  #held = 0
  #heldBits = 0

  constructor(capacity: number) {
    this.#bytes = new GrowingBytes(capacity)
  }

  /** @param bits at most 16 */
  put(value: number, bits: number): void {
    this.#held |= value << this.#heldBits
    this.#heldBits += bits
    while (this.#heldBits >= 8) {
      this.#bytes.byte(this.#held & 0xff)
      this.#held >>>= 8
      this.#heldBits -= 8
    }
  }

  fillByte(): void {
    if (this.#heldBits > 0) this.put(0, 8 - this.#heldBits)
  }

  /** From a whole byte on. */
  copy(data: Uint8Array, from: number, to: number): void {
    this.#bytes.copy(data, from, to)
  }

  withChecksum(checksum: number): Uint8Array<ArrayBuffer> {
    for (const shift of [24, 16, 8, 0]) this.#bytes.byte((checksum >>> shift) & 0xff)
    return this.#bytes.written.slice()
  }
}

/** RFC 1950, 8.2. */
function adler32(data: Uint8Array): number {
  let low = 1
  let high = 0
  for (let at = 0; at < data.length;) {
    // So many bytes can be added before the sums would leave 32 bits.
    const end = Math.min(at + 5_552, data.length)
    for (; at < end; at += 1) {
      low += data[at] ?? 0
      high += low
    }
    low %= 65_521
    high %= 65_521
  }
  return ((high << 16) | low) >>> 0
}
