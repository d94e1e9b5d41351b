import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { longestShort, zlibOfShort } from './short-deflate.ts'

const noise = createHash('shake256', { outputLength: longestShort }).update('noise').digest()

test.each([
  ['nothing', ''],
  ['one byte', 'x'],
  ['text', 'BT /F1 24 Tf 72 720 Td (page 1) Tj ET\nBT /F1 24 Tf 72 700 Td (page 2) Tj ET'],
  ['one byte over and over', 'a'.repeat(longestShort)],
  ['a repetition at the longest distance', `abc${'.'.repeat(longestShort - 6)}abc`],
  ['numbers', Array.from({ length: 100 }, (_, index) => index * 7).join(' ')],
])('%s is what it was once inflated', (_, text) => {
  const data = Buffer.from(text)
  expect(inflateSync(zlibOfShort(data)).toString()).toBe(text)
})

test('bytes of every value and data of every length survive', () => {
  for (let length = 0; length <= longestShort; length += 1) {
    const data = noise.subarray(0, length)
    expect(inflateSync(zlibOfShort(data)).equals(data)).toBe(true)
    // Few different bytes, so that there are matches of all lengths and distances.
    const repeating = data.map((byte, index) => (index % 11 < 8 ? byte & 1 : 0x30))
    expect(inflateSync(zlibOfShort(repeating)).equals(repeating)).toBe(true)
  }
})

test('repetition gets shorter, and one result does not change with the next', () => {
  const first = zlibOfShort(Buffer.from('0 0 m '.repeat(80)))
  const copy = Uint8Array.from(first)
  zlibOfShort(noise)
  expect(first.length).toBeLessThan(40)
  expect(first).toEqual(copy)
})

test('longer data is refused', () => {
  expect(() => zlibOfShort(new Uint8Array(longestShort + 1))).toThrow(RangeError)
})
