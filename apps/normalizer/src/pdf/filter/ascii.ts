import { characterClass, hexadecimalDigit, WHITE_SPACE } from '../reading/character-set.ts'
import type { Undone } from './undone.ts'

/** ASCIIHexDecode (ISO 32000-2, 7.4.2): an odd number of digits is completed with 0; `>` ends the data. */
export function decodeAsciiHex(data: Uint8Array): Undone {
  const output = new Uint8Array((data.length + 1) >> 1)
  let length = 0
  let high = -1
  let damaged = false
  for (const byte of data) {
    if (byte === 0x3e) break
    const digit = hexadecimalDigit(byte)
    if (digit < 0) {
      damaged ||= characterClass[byte] !== WHITE_SPACE
    } else if (high < 0) {
      high = digit
    } else {
      output[length++] = (high << 4) | digit
      high = -1
    }
  }
  if (high >= 0) output[length++] = high << 4
  return { bytes: output.subarray(0, length), damaged }
}

/**
 * ASCII85Decode (ISO 32000-2, 7.4.3): five digits for four bytes, `z` for four zero bytes; `~` ends the data. null when
 * there are more than `maxBytes`.
 */
export function decodeAscii85(data: Uint8Array, maxBytes: number): Undone | null {
  // `z` is the only thing that expands: one byte into four.
  let output = new Uint8Array(Math.max(16, Math.ceil((data.length * 4) / 5) + 4))
  let length = 0
  let group = 0
  let digits = 0
  let damaged = false
  for (let at = startOfAscii85(data); at < data.length; at++) {
    const byte = data[at] ?? 0
    if (byte === 0x7e) break
    if (length + 4 > output.length) {
      if (length > maxBytes) return null
      const larger = new Uint8Array(Math.min(output.length * 2, maxBytes + 8))
      larger.set(output)
      output = larger
    }

    if (byte === 0x7a && digits === 0) {
      output.fill(0, length, length + 4)
      length += 4
    } else if (byte >= 0x21 && byte <= 0x75) {
      group = group * 85 + (byte - 0x21)
      if (++digits === 5) {
        length = putGroup(output, length, group, 4)
        group = 0
        digits = 0
      }
    } else {
      damaged ||= characterClass[byte] !== WHITE_SPACE
    }
  }

  if (digits === 1) damaged = true
  if (digits > 1) {
    for (let i = digits; i < 5; i++) group = group * 85 + 84
    if (length + 4 > output.length) {
      const larger = new Uint8Array(output.length + 4)
      larger.set(output)
      output = larger
    }
    length = putGroup(output, length, group, digits - 1)
  }
  return { bytes: output.subarray(0, length), damaged }
}

/** Some writers open the data with the `<~` that belongs to other uses of the encoding. */
function startOfAscii85(data: Uint8Array): number {
  let at = 0
  while (at < data.length && characterClass[data[at] ?? 0] === WHITE_SPACE) at++
  return data[at] === 0x3c && data[at + 1] === 0x7e ? at + 2 : 0
}

function putGroup(output: Uint8Array, length: number, group: number, count: number): number {
  let rest = group % 0x100000000
  for (let i = 0; i < count; i++) {
    output[length + i] = Math.floor(rest / 0x1000000)
    rest = (rest % 0x1000000) * 0x100
  }
  return length + count
}
