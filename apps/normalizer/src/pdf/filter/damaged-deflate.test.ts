import { constants, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inflateUpToFault } from './damaged-deflate.ts'
import { inflate, inflateBeginning } from './flate.ts'

const text = Buffer.from(Array.from({ length: 4_000 }, (_, i) => `${i * i} ${i % 7} Tj\n`).join(''))
const noise = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255))

test.each([
  ['stored', 0, constants.Z_DEFAULT_STRATEGY],
  ['with fixed codes', 6, constants.Z_FIXED],
  ['with its own codes', 9, constants.Z_DEFAULT_STRATEGY],
  ['without repetitions', 6, constants.Z_HUFFMAN_ONLY],
])('whole data is decoded, %s', (_, level, strategy) => {
  for (const data of [text, noise, Buffer.concat([text, noise, text]), Buffer.alloc(1)]) {
    const decoded = inflateUpToFault(deflateSync(data, { level, strategy }), 2, 10_000_000)

    expect(Buffer.compare(decoded ?? new Uint8Array(), data)).toBe(0)
  }
})

test('data that breaks off anywhere gives what came before', () => {
  const deflated = deflateSync(text, { level: 9 })
  let before = 0
  for (let length = 2; length < deflated.length; length += 97) {
    const decoded = inflate(deflated.subarray(0, length), 10_000_000)?.bytes ?? new Uint8Array()

    expect(Buffer.compare(decoded, text.subarray(0, decoded.length))).toBe(0)
    expect(decoded.length).toBeGreaterThanOrEqual(before)
    before = decoded.length
  }
  expect(before).toBeGreaterThan(text.length * 0.9)
})

test('a wrong checksum costs no data', () => {
  const deflated = Buffer.from(deflateSync(text))
  deflated[deflated.length - 1] = (deflated.at(-1) ?? 0) ^ 0xff

  const { bytes, damaged } = inflate(deflated, 10_000_000) ?? { bytes: null, damaged: false }

  expect(damaged).toBe(true)
  expect(Buffer.compare(bytes ?? new Uint8Array(), text)).toBe(0)
})

test('damaged data that expands to more than is allowed is refused', () => {
  const deflated = deflateSync(Buffer.alloc(1_000_000))

  expect(inflate(deflated.subarray(0, deflated.length - 6), 100_000)).toBeNull()
})

test('the beginning of data is what comes before the place where it was cut', () => {
  for (const data of [deflateSync(text), deflateSync(noise), deflateSync(text).subarray(2)]) {
    const cut = data.subarray(0, 512)
    const { bytes: beginning } = inflateBeginning(cut, 10_000_000) ?? { bytes: new Uint8Array() }

    expect(beginning.length).toBeGreaterThan(128)
    expect(Buffer.compare(beginning, inflate(cut, 10_000_000)?.bytes ?? new Uint8Array())).toBe(0)
  }
})
