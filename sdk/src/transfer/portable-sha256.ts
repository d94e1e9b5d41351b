import type { Sha256 } from './sha256.ts'

const blockBytes = 64

/** FIPS 180-4, section 6.2. */
export function portableSha256(): Sha256 {
  const state = Int32Array.from(initialState)
  const schedule = new Int32Array(64)
  const block = new Uint8Array(blockBytes)
  const view = new DataView(block.buffer)
  let filled = 0
  let total = 0

  const update = (bytes: Uint8Array): void => {
    total += bytes.length
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + blockBytes - filled)
      block.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < blockBytes) return
      compress(state, schedule, view)
      filled = 0
    }
  }
  const hex = (): string => {
    const bits = total * 8
    // Section 5.1.1: a one bit, zeros, and the length in the last eight bytes of a block.
    const zeros = (2 * blockBytes - 9 - filled) % blockBytes
    const padding = new Uint8Array(1 + zeros + 8)
    padding[0] = 0x80
    const length = new DataView(padding.buffer, 1 + zeros)
    length.setUint32(0, Math.floor(bits / 2 ** 32))
    length.setUint32(4, bits)
    update(padding)
    return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }
  return { update, hex }
}

function compress(state: Int32Array, w: Int32Array, block: DataView): void {
  for (let t = 0; t < 64; t++) {
    if (t < 16) {
      w[t] = block.getInt32(t * 4)
      continue
    }
    const w15 = at(w, t - 15)
    const w2 = at(w, t - 2)
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    w[t] = at(w, t - 16) + s0 + at(w, t - 7) + s1
  }
  let a = at(state, 0)
  let b = at(state, 1)
  let c = at(state, 2)
  let d = at(state, 3)
  let e = at(state, 4)
  let f = at(state, 5)
  let g = at(state, 6)
  let h = at(state, 7)
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(roundConstants, t) + at(w, t)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = at(state, index) + word
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function at(words: Int32Array, index: number): number {
  return words[index] ?? 0
}

const primes = firstPrimes(64)
/** Section 5.3.3: the first 32 bits of the fractions of the square roots of the first eight primes. */
const initialState = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
/** Section 4.2.2: the same of the cube roots of the first 64 primes. */
const roundConstants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  }
  return found
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0
}
