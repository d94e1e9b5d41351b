import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { PipelineStop } from '../stage.ts'
import { undoPredictorForScan } from './scan-predictor.ts'

/** One filter of a stream, with what its parameters say (ISO 32000-2, table 8); others than these have no effect. */
export interface ScanFilter {
  readonly name: string
  readonly predictor: number
  readonly colors: number
  readonly bitsPerComponent: number
  readonly columns: number
  /** Whether codes of LZW grow one code early, which is the default. */
  readonly earlyChange: boolean
}

/** Counts what the streams of one output expand to while they are looked into. */
export class ScanBudget {
  #remaining: number

  constructor(fileBytes: number) {
    this.#remaining = maxScannedBytes + fileBytes * maxScannedExpansion
  }

  /** Bytes that the next stream may expand to. */
  get allowance(): number {
    return Math.min(this.#remaining, maxStreamBytes)
  }

  charge(bytes: number): void {
    this.#remaining -= bytes
  }
}

/** The measures of the reader: a document that it could read is not too large to be scanned. */
const maxScannedBytes = 256 * 1024 * 1024
const maxScannedExpansion = 4
const maxStreamBytes = 100 * 1024 * 1024

/**
 * Decodes stream data for the second scan, by code of its own: as far as it goes, where it is damaged, as viewers do.
 * null for filters that only images use and for data of which nothing decodes.
 *
 * @throws {PipelineStop} when the streams of the output expand beyond the budget
 */
export function decodeForScan(
  data: Uint8Array,
  filters: readonly ScanFilter[],
  budget: ScanBudget,
): Uint8Array | null {
  let decoded: Uint8Array = data
  for (const filter of filters) {
    const next = decodeOne(decoded, filter, budget.allowance)
    if (!next) return null
    budget.charge(next.length)
    decoded = next
  }
  return decoded
}

function decodeOne(data: Uint8Array, filter: ScanFilter, maxBytes: number): Uint8Array | null {
  switch (filter.name) {
    case 'FlateDecode':
    case 'Fl':
      return undoPredictorForScan(inflate(data, maxBytes), filter)
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(data)
    case 'ASCII85Decode':
    case 'A85':
      return decodeBase85(data, maxBytes)
    case 'RunLengthDecode':
    case 'RL':
      return decodeRuns(data, maxBytes)
    case 'LZWDecode':
    case 'LZW':
      return undoPredictorForScan(decodeLzw(data, filter.earlyChange, maxBytes), filter)
    // 7.4.10: without encryption it leaves the data as it is.
    case 'Crypt':
      return data
    default:
      return null
  }
}

function tooLarge(): PipelineStop {
  return new PipelineStop(
    'RESOURCE_LIMIT_EXCEEDED',
    'The streams of the output expand to more than can be looked into',
  )
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array | null {
  const options = {
    maxOutputLength: maxBytes,
    // A stream that breaks off is read as far as it goes.
    finishFlush: constants.Z_SYNC_FLUSH,
    // As many pieces as there are chunks: most streams come out in one.
    chunkSize: Math.min(1024 * 1024, Math.max(1024, data.length * 5)),
  }
  const whole = orNothing(() => inflateSync(data, options))
  if (whole) return whole
  // Without the two bytes of the header and the checksum (RFC 1950), either of which may be the damage.
  const compressed = data.subarray(2)
  const rest = orNothing(() => inflateRawSync(compressed, options))
  return rest ?? longestPrefix(compressed, (prefix) => inflateRawSync(prefix, options))
}

/** What decodes before the damage, which lies where the longest prefix that decodes ends. */
function longestPrefix(
  data: Uint8Array,
  decode: (prefix: Uint8Array) => Uint8Array,
): Uint8Array | null {
  let longest: Uint8Array | null = null
  let sound = 0
  let damaged = data.length
  while (damaged - sound > 1) {
    const middle = (sound + damaged) >>> 1
    const decoded = orNothing(() => decode(data.subarray(0, middle)))
    if (decoded) sound = middle
    else damaged = middle
    longest = decoded ?? longest
  }
  return longest && longest.length > 0 ? longest : null
}

function orNothing(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode()
  } catch (error) {
    const isTooLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLarge) throw tooLarge()
    return null
  }
}

function decodeHex(data: Uint8Array): Uint8Array {
  const out = new Uint8Array((data.length >> 1) + 1)
  let digits = 0
  for (const byte of data) {
    if (byte === 0x3e) break
    const value = hexValue(byte)
    if (value < 0) continue
    const at = digits >> 1
    // An odd last digit counts as one that a 0 follows (7.4.2).
    out[at] = digits % 2 === 0 ? value << 4 : (out[at] ?? 0) | value
    digits++
  }
  return out.subarray(0, (digits + 1) >> 1)
}

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1
}

function decodeBase85(data: Uint8Array, maxBytes: number): Uint8Array {
  let zeros = 0
  for (const byte of data) if (byte === 0x7a) zeros++
  const most = zeros * 4 + Math.ceil(((data.length - zeros) * 4) / 5) + 4
  if (most > maxBytes + 4) throw tooLarge()
  const out = new Uint8Array(most)
  let length = 0
  let group = 0
  let count = 0
  const put = (bytes: number): void => {
    for (let shift = 24; bytes > 0; bytes--, shift -= 8) out[length++] = (group >>> shift) & 0xff
    group = 0
    count = 0
  }
  for (const byte of data) {
    if (byte === 0x7e) break
    if (byte === 0x7a && count === 0) length += 4
    if (byte < 0x21 || byte > 0x75) continue
    group = (group * 85 + byte - 0x21) % 0x100000000
    count++
    if (count === 5) put(4)
  }
  if (count > 1) {
    const given = count
    for (; count < 5; count++) group = (group * 85 + 84) % 0x100000000
    put(given - 1)
  }
  return out.subarray(0, length)
}

function decodeRuns(data: Uint8Array, maxBytes: number): Uint8Array {
  const out = new Uint8Array(lengthOfRuns(data, maxBytes))
  let length = 0
  for (let at = 0; length < out.length;) {
    const run = data[at++] ?? 128
    if (run < 128) out.set(data.subarray(at, at + run + 1), length)
    else out.fill(data[at] ?? 0, length, length + 257 - run)
    length += run < 128 ? run + 1 : 257 - run
    at += run < 128 ? run + 1 : 1
  }
  return out
}

function lengthOfRuns(data: Uint8Array, maxBytes: number): number {
  let length = 0
  for (let at = 0; at < data.length;) {
    const run = data[at++] ?? 128
    if (run === 128) break
    length += run < 128 ? run + 1 : 257 - run
    at += run < 128 ? run + 1 : 1
    if (length > maxBytes) throw tooLarge()
  }
  return length
}

/** 7.4.4.2. Every entry of the table is a stretch of what was decoded already: where it begins and how long it is. */
function decodeLzw(data: Uint8Array, earlyChange: boolean, maxBytes: number): Uint8Array {
  const starts = new Uint32Array(4097)
  const lengths = new Uint32Array(4097)
  let out = new Uint8Array(Math.min(maxBytes, Math.max(1024, data.length * 4)))
  let length = 0
  let next = 258
  let width = 9
  let previous = 0
  let bits = 0
  let held = 0
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff
    held += 8
    if (held < width) continue
    held -= width
    const code = (bits >>> held) & ((1 << width) - 1)
    if (code === 257) break
    if (code === 256) {
      next = 258
      width = 9
      previous = 0
      continue
    }
    if (code > 257 && code > next) break
    // The code that is about to be defined: what came before, and its first byte again.
    const isNext = code === next
    if (isNext && previous === 0) break
    const size = code < 256 ? 1 : isNext ? previous + 1 : (lengths[code] ?? 0)
    if (length + size > maxBytes) throw tooLarge()
    if (length + size > out.length) {
      const larger = new Uint8Array(Math.min(maxBytes, (length + size) * 2))
      larger.set(out)
      out = larger
    }
    const from = code < 256 ? -1 : isNext ? length - previous : (starts[code] ?? 0)
    if (from < 0) out[length] = code
    // Byte by byte: the stretch may reach into what it makes.
    else for (let at = 0; at < size; at++) out[length + at] = out[from + at] ?? 0
    if (previous > 0 && next < 4096) {
      starts[next] = length - previous
      lengths[next] = previous + 1
      next++
    }
    length += size
    previous = size
    const grown = next + (earlyChange ? 1 : 0)
    width = grown >= 2048 ? 12 : grown >= 1024 ? 11 : grown >= 512 ? 10 : 9
  }
  return out.subarray(0, length)
}
