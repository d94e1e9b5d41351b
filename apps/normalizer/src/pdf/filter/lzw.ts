import type { Undone } from './undone.ts'

const CLEAR_TABLE = 256
const END_OF_DATA = 257
const FIRST_SEQUENCE = 258
const MAX_CODES = 4096

/**
 * LZWDecode (ISO 32000-2, 7.4.4.2): codes of 9 to 12 bits, the length raised one code early unless `/EarlyChange` is
 * 0. null if there is more than `maxBytes`.
 */
export function decodeLzw(data: Uint8Array, earlyChange: boolean, maxBytes: number): Undone | null {
  // A sequence is its predecessor and one byte; its length is kept so that it can be written from its end.
  const prefix = new Int16Array(MAX_CODES)
  const suffix = new Uint8Array(MAX_CODES)
  const lengths = new Uint16Array(MAX_CODES)
  for (let code = 0; code < 256; code++) {
    suffix[code] = code
    lengths[code] = 1
  }

  let output = new Uint8Array(Math.min(maxBytes, Math.max(1024, data.length * 4)))
  let length = 0
  let next = FIRST_SEQUENCE
  let width = 9
  let previous = -1
  let bits = 0
  let bitCount = 0

  for (let at = 0; at < data.length;) {
    while (bitCount < width && at < data.length) {
      bits = ((bits << 8) | (data[at++] ?? 0)) & 0xffffff
      bitCount += 8
    }
    if (bitCount < width) break
    const code = (bits >>> (bitCount - width)) & ((1 << width) - 1)
    bitCount -= width

    if (code === END_OF_DATA) return { bytes: output.subarray(0, length), damaged: false }
    if (code === CLEAR_TABLE) {
      next = FIRST_SEQUENCE
      width = 9
      previous = -1
      continue
    }

    const known = code < 256 || (code >= FIRST_SEQUENCE && code < next)
    if (!known && (code !== next || previous < 0)) {
      return { bytes: output.subarray(0, length), damaged: true }
    }

    const sequenceLength = known ? (lengths[code] ?? 0) : (lengths[previous] ?? 0) + 1
    if (length + sequenceLength > maxBytes) return null
    if (length + sequenceLength > output.length) {
      const larger = new Uint8Array(
        Math.min(maxBytes, Math.max(output.length * 2, length + sequenceLength)),
      )
      larger.set(output)
      output = larger
    }

    let position = length + sequenceLength - 1
    let walk = code
    if (!known) {
      position--
      walk = previous
    }
    while (position >= length) {
      output[position--] = suffix[walk] ?? 0
      walk = prefix[walk] ?? 0
    }
    // The sequence that is not in the table yet is the previous one and its own first byte.
    if (!known) output[length + sequenceLength - 1] = output[length] ?? 0

    if (previous >= 0 && next < MAX_CODES) {
      prefix[next] = previous
      suffix[next] = output[length] ?? 0
      lengths[next] = (lengths[previous] ?? 0) + 1
      next++
    }
    previous = code
    length += sequenceLength

    const threshold = next + (earlyChange ? 1 : 0)
    width = threshold >= 2048 ? 12 : threshold >= 1024 ? 11 : threshold >= 512 ? 10 : 9
  }
  return { bytes: output.subarray(0, length), damaged: true }
}
