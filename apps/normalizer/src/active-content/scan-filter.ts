import { inflateSync, constants } from 'node:zlib'

/** No stream of the output is looked into beyond this; object streams of ours are far smaller. */
const maxDecodedBytes = 256 * 1024 * 1024

/**
 * Decodes stream data for the second scan, by code of its own. null for filters that only images use and for data
 * that does not decode.
 *
 * @param earlyChange of LZW (ISO 32000-2, table 8): whether codes grow one code early, which is the default
 */
export function decodeForScan(
  data: Uint8Array,
  filters: readonly string[],
  earlyChange = true,
): Uint8Array | null {
  let decoded: Uint8Array = data
  for (const filter of filters) {
    const next = decodeOne(decoded, filter, earlyChange)
    if (!next) return null
    decoded = next
  }
  return decoded
}

function decodeOne(data: Uint8Array, filter: string, earlyChange: boolean): Uint8Array | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return inflate(data)
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(data)
    case 'ASCII85Decode':
    case 'A85':
      return decodeBase85(data)
    case 'RunLengthDecode':
    case 'RL':
      return decodeRuns(data)
    case 'LZWDecode':
    case 'LZW':
      return decodeLzw(data, earlyChange)
    default:
      return null
  }
}

function inflate(data: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(data, {
      maxOutputLength: maxDecodedBytes,
      // A stream that breaks off is read as far as it goes, as viewers do.
      finishFlush: constants.Z_SYNC_FLUSH,
      // As many pieces as there are chunks: most streams come out in one.
      chunkSize: Math.min(1024 * 1024, Math.max(1024, data.length * 5)),
    })
  } catch {
    return null
  }
}

function decodeHex(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data).toString('latin1').split('>', 1)[0] ?? ''
  const digits = text.replace(/[^0-9a-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

function decodeBase85(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length * 4)
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

function decodeRuns(data: Uint8Array): Uint8Array | null {
  const parts: Uint8Array[] = []
  let total = 0
  for (let at = 0; at < data.length;) {
    const run = data[at++] ?? 128
    if (run === 128) break
    const part =
      run < 128 ? data.subarray(at, at + run + 1) : new Uint8Array(257 - run).fill(data[at] ?? 0)
    at += run < 128 ? run + 1 : 1
    parts.push(part)
    total += part.length
    if (total > maxDecodedBytes) return null
  }
  return Buffer.concat(parts)
}

/** 7.4.4.2. Every entry of the table is a stretch of what was decoded already: where it begins and how long it is. */
function decodeLzw(data: Uint8Array, earlyChange: boolean): Uint8Array | null {
  const starts = new Uint32Array(4097)
  const lengths = new Uint32Array(4097)
  let out = Buffer.alloc(Math.max(1024, data.length * 4))
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
    if (length + size > maxDecodedBytes) return null
    if (length + size > out.length) out = Buffer.concat([out], (length + size) * 2)
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
