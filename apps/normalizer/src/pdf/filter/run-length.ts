import type { Undone } from './undone.ts'

/** RunLengthDecode (ISO 32000-2, 7.4.5); 128 ends the data. null if there is more than `maxBytes`. */
export function decodeRunLength(data: Uint8Array, maxBytes: number): Undone | null {
  let total = 0
  for (let at = 0; at < data.length;) {
    const length = data[at] ?? 128
    if (length === 128) break
    total += length < 128 ? length + 1 : 257 - length
    at += length < 128 ? length + 2 : 2
  }
  if (total > maxBytes) return null

  const output = new Uint8Array(total)
  let position = 0
  for (let at = 0; at < data.length;) {
    const length = data[at] ?? 128
    if (length === 128) return { bytes: output.subarray(0, position), damaged: false }
    if (length < 128) {
      const literal = data.subarray(at + 1, at + 2 + length)
      output.set(literal, position)
      position += literal.length
      at += length + 2
    } else if (at + 1 < data.length) {
      output.fill(data[at + 1] ?? 0, position, position + 257 - length)
      position += 257 - length
      at += 2
    } else {
      break
    }
  }
  return { bytes: output.subarray(0, position), damaged: true }
}
