import { constants, inflateSync } from 'node:zlib'
import { inflateUpToFault } from './damaged-deflate.ts'
import type { Undone } from './undone.ts'

/**
 * FlateDecode (ISO 32000-2, 7.4.4). Data that breaks off or is corrupt gives what comes before the fault, as in
 * viewers; null if there is more than `maxBytes`.
 */
export function inflate(data: Uint8Array, maxBytes: number): Undone | null {
  if (data.length === 0) return { bytes: data, damaged: true }
  const whole = attempt(data, maxBytes, constants.Z_FINISH)
  if (whole !== 'corrupt') return whole && { bytes: whole, damaged: false }

  // Without a usable zlib header (RFC 1950) the deflate data behind it may still be whole (RFC 1951).
  for (const start of hasZlibHeader(data) ? [2, 0] : [0, 2]) {
    const prefix = inflateUpToFault(data, start, maxBytes)
    if (prefix === null || prefix.length > 0) return prefix && { bytes: prefix, damaged: true }
  }
  return { bytes: new Uint8Array(0), damaged: true }
}

/** {@link inflate} for data that was cut off on purpose: that it breaks off is no damage, and costs nothing. */
export function inflateBeginning(data: Uint8Array, maxBytes: number): Undone | null {
  const beginning = attempt(data, maxBytes, constants.Z_SYNC_FLUSH)
  if (beginning === 'corrupt') return inflate(data, maxBytes)
  return beginning && { bytes: beginning, damaged: false }
}

/**
 * The decoded bytes; null if they are more than `maxBytes`.
 *
 * @param finishFlush whether data that breaks off is corrupt (`Z_FINISH`) or gives what it can (`Z_SYNC_FLUSH`)
 */
function attempt(
  data: Uint8Array,
  maxBytes: number,
  finishFlush: number,
): Uint8Array | null | 'corrupt' {
  try {
    return inflateSync(data, {
      finishFlush,
      maxOutputLength: Math.max(1, maxBytes),
      chunkSize: Math.min(1024 * 1024, Math.max(1024, data.length * 4)),
    })
  } catch (error) {
    if (error instanceof RangeError) return null
    return 'corrupt'
  }
}

/** RFC 1950, 2.2: method 8, and a checksum over both bytes. */
function hasZlibHeader([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0
}
