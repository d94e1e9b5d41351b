import { inflateRawSync, inflateSync, constants } from 'node:zlib'
import type { Undone } from './decode-stream.ts'

/**
 * FlateDecode (ISO 32000-2, 7.4.4). Data that breaks off or is corrupt gives what comes before the fault, as in
 * viewers; null if there is more than `maxBytes`.
 */
export function inflate(data: Uint8Array, maxBytes: number): Undone | null {
  if (data.length === 0) return { bytes: data, damaged: true }
  const whole = attempt(inflateSync, data, maxBytes, constants.Z_FINISH)
  if (whole !== 'corrupt') return whole && { bytes: whole, damaged: false }

  const prefix = longestPrefix(inflateSync, data, maxBytes)
  if (prefix === null || prefix.length > 0) return prefix && { bytes: prefix, damaged: true }

  // Without a usable zlib header (RFC 1950) the deflate data behind it may still be whole (RFC 1951).
  for (const start of [2, 0]) {
    const raw = longestPrefix(inflateRawSync, data.subarray(start), maxBytes)
    if (raw === null || raw.length > 0) return raw && { bytes: raw, damaged: true }
  }
  return { bytes: new Uint8Array(0), damaged: true }
}

type Inflate = typeof inflateSync

/** The decoded bytes; null if they are more than `maxBytes`. */
function attempt(
  inflateBytes: Inflate,
  data: Uint8Array,
  maxBytes: number,
  finishFlush: number,
): Uint8Array | null | 'corrupt' {
  try {
    return inflateBytes(data, {
      finishFlush,
      maxOutputLength: Math.max(1, maxBytes),
      chunkSize: Math.min(1024 * 1024, Math.max(1024, data.length * 4)),
    })
  } catch (error) {
    if (error instanceof RangeError) return null
    return 'corrupt'
  }
}

/** zlib gives nothing of corrupt data; of the longest prefix without the fault it gives all. */
function longestPrefix(
  inflateBytes: Inflate,
  data: Uint8Array,
  maxBytes: number,
): Uint8Array | null {
  let best = new Uint8Array(0)
  let good = 0
  let bad = data.length + 1
  // Most often the data only breaks off: then all of it is a good prefix.
  for (let length = data.length; good + 1 < bad; length = (good + bad) >> 1) {
    // To be flushed rather than finished: data that breaks off is no error then.
    const prefix = data.subarray(0, length)
    const result = attempt(inflateBytes, prefix, maxBytes, constants.Z_SYNC_FLUSH)
    if (result === null) return null
    if (result === 'corrupt') {
      bad = length
    } else {
      good = length
      best = new Uint8Array(result)
    }
  }
  return best
}
