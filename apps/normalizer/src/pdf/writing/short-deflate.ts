/** Longest data that {@link zlibOfShort} takes; bytes. */
export const longestShort = 512

const longestMatch = 258
/** Of the places where three bytes stood before, so many of the latest are compared. */
const comparedPlaces = 16

const output = new Uint8Array(2 + Math.ceil((longestShort * 9 + 16) / 8) + 4)
const lastPlaces = new Int16Array(4_096)
const earlierPlaces = new Int16Array(longestShort)

/**
 * Zlib data (RFC 1950) of one block with fixed codes (RFC 1951, 3.2.6). For so few bytes other codes save next to
 * nothing, and the library that deflates the rest allocates hundreds of times their length: a document of a hundred
 * thousand short streams would spend its time collecting that.
 */
export function zlibOfShort(data: Uint8Array): Uint8Array {
  const length = data.length
  if (length > longestShort) throw new RangeError('the data is not short')
  lastPlaces.fill(-1)
  // Deflate, a window of 32 KiB; a check value that makes both bytes a multiple of 31.
  output[0] = 0x78
  output[1] = 0x9c
  let end = 2
  let held = 0
  let heldBits = 0
  const put = (value: number, bits: number): void => {
    held |= value << heldBits
    heldBits += bits
    for (; heldBits >= 8; heldBits -= 8) {
      output[end++] = held & 0xff
      held >>>= 8
    }
  }
  const putSymbol = (symbol: number): void => put(codes[symbol] ?? 0, codeBits[symbol] ?? 0)

  // The last block, with fixed codes.
  put(0b011, 3)
  let at = 0
  while (at < length) {
    const { distance, matched } = longestEarlier(data, at)
    if (matched < 3) putSymbol(data[at] ?? 0)
    else {
      const size = rangeOf(lengthBases, matched)
      putSymbol(257 + size)
      put(matched - (lengthBases[size] ?? 0), lengthExtraBits[size] ?? 0)
      const far = rangeOf(distanceBases, distance)
      put(reversed(far, 5), 5)
      put(distance - (distanceBases[far] ?? 0), distanceExtraBits[far] ?? 0)
    }
    const next = at + Math.max(1, matched)
    for (; at < next; at += 1) remember(data, at)
  }
  putSymbol(256)
  if (heldBits > 0) put(0, 8 - heldBits)

  new DataView(output.buffer).setUint32(end, adler32(data))
  return output.slice(0, end + 4)
}

/** What stands at `at` and stood before: the longest, and of those the nearest. `matched` 0 if under three bytes. */
function longestEarlier(data: Uint8Array, at: number): { distance: number; matched: number } {
  const most = Math.min(longestMatch, data.length - at)
  let matched = 0
  let distance = 0
  if (most < 3) return { distance, matched }
  let place = lastPlaces[hashAt(data, at)] ?? -1
  for (let compared = 0; place >= 0 && compared < comparedPlaces; compared += 1) {
    let same = 0
    while (same < most && data[place + same] === data[at + same]) same += 1
    if (same >= 3 && same > matched) {
      matched = same
      distance = at - place
    }
    place = earlierPlaces[place] ?? -1
  }
  return { distance, matched }
}

function remember(data: Uint8Array, at: number): void {
  const hash = hashAt(data, at)
  earlierPlaces[at] = lastPlaces[hash] ?? -1
  lastPlaces[hash] = at
}

function hashAt(data: Uint8Array, at: number): number {
  return ((data[at] ?? 0) ^ ((data[at + 1] ?? 0) << 2) ^ ((data[at + 2] ?? 0) << 4)) & 0xfff
}

/** The last of the ascending bases that is not above the value. */
function rangeOf(bases: readonly number[], value: number): number {
  let index = bases.length - 1
  while ((bases[index] ?? 0) > value) index -= 1
  return index
}

/** RFC 1950, 8.2. */
function adler32(data: Uint8Array): number {
  let low = 1
  let high = 0
  for (const byte of data) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  return high * 65_536 + low
}

/** Codes go out with their most significant bit first, everything else with the least (RFC 1951, 3.1.1). */
function reversed(code: number, bits: number): number {
  let result = 0
  for (let bit = 0; bit < bits; bit += 1) result |= ((code >>> bit) & 1) << (bits - 1 - bit)
  return result
}

function fixedCode(symbol: number): { code: number; bits: number } {
  if (symbol < 144) return { code: 0b00110000 + symbol, bits: 8 }
  if (symbol < 256) return { code: 0b110010000 + symbol - 144, bits: 9 }
  if (symbol < 280) return { code: symbol - 256, bits: 7 }
  return { code: 0b11000000 + symbol - 280, bits: 8 }
}

const symbols = Array.from({ length: 288 }, (_, symbol) => fixedCode(symbol))
const codes = symbols.map(({ code, bits }) => reversed(code, bits))
const codeBits = symbols.map(({ bits }) => bits)

/** RFC 1951, 3.2.5. The longest match has a symbol of its own. */
const lengthExtraBits = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
]
/** As far as short data goes. */
const distanceExtraBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
const distanceBases = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385]
