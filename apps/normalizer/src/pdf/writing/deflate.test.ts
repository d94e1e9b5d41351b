import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { zlibOf } from './deflate.ts'

/** The same on every run. */
function noise(length: number): Uint8Array {
  return new Uint8Array(createHash('shake256', { outputLength: length }).update('noise').digest())
}

const content = Array.from(
  { length: 2_000 },
  (_, line) => `BT /F1 ${line % 9} Tf 72 ${(line * 37) % 720} Td (line ${line * line}) Tj ET\n`,
).join('')

describe('What is deflated is the same once inflated', () => {
  test.each([
    ['nothing', ''],
    ['one byte', 'x'],
    ['two bytes', 'xy'],
    ['one byte over and over', 'a'.repeat(100_000)],
    ['a repetition at the longest distance', `abc${'.'.repeat(32_764)}abc`],
    ['a repetition just beyond it', `abc${'.'.repeat(32_765)}abc`],
    ['numbers', Array.from({ length: 30_000 }, (_, index) => index * 7).join(' ')],
    ['content of pages', content],
  ])('%s', (_, text) => {
    const data = Buffer.from(text)
    expect(inflateSync(zlibOf(data)).equals(data)).toBe(true)
  })

  test('bytes of every value and data of every length', () => {
    const random = noise(700)
    for (let length = 0; length <= random.length; length += 1) {
      const data = random.subarray(0, length)
      expect(inflateSync(zlibOf(data)).equals(data)).toBe(true)
      // Few different bytes, so that there are matches of all lengths and distances.
      const repeating = data.map((byte, index) => (index % 11 < 8 ? byte & 1 : 0x30))
      expect(inflateSync(zlibOf(repeating)).equals(repeating)).toBe(true)
    }
  })

  test('frequencies that would ask for codes longer than there are', () => {
    // Each byte about 1.6 times as often as the one before: the tree is a single long branch.
    const parts: Buffer[] = []
    for (
      let byte = 0, [times, next] = [1, 1];
      byte < 18;
      byte += 1, [times, next] = [next, times + next]
    ) {
      parts.push(Buffer.alloc(times, byte))
    }
    const sorted = Buffer.concat(parts)
    // Apart from each other, so that they stay literals; the order is the same in every run.
    const order = noise(4 * sorted.length)
    const data = sorted.map(
      (byte, index) =>
        sorted[(Buffer.from(order).readUInt32LE(4 * index) + byte) % sorted.length] ?? 0,
    )
    expect(inflateSync(zlibOf(data)).equals(data)).toBe(true)
  })

  test('more symbols than a block takes, random and regular by turns', () => {
    const random = noise(300_000)
    const data = Buffer.concat([
      random,
      Buffer.from(content),
      random.subarray(0, 70_000),
      Buffer.from(content),
    ])
    const deflated = zlibOf(data)
    expect(inflateSync(deflated).equals(data)).toBe(true)
    // Random bytes are stored as they are, and content that was further away than the window is found new.
    expect(deflated.length).toBeLessThan(370_000 + content.length)
  })
})

test('content takes as little as it does with zlib', () => {
  expect(zlibOf(Buffer.from(content)).length).toBeLessThan(content.length / 4)
})

test('what was deflated before leaves no trace in the bytes', () => {
  const data = Buffer.from(content)
  const first = zlibOf(data)
  zlibOf(noise(100_000))
  zlibOf(data.subarray(0, 500))
  expect(zlibOf(data)).toEqual(first)
})

test('the bytes are the same on every machine', () => {
  const hash = createHash('sha256')
    .update(zlibOf(Buffer.from(content)))
    .digest('hex')
  // Whoever has to change this changes the outputs, and so PIPELINE_SPEC.
  expect(hash).toBe('e1e50998034323618734f06338bb60ec5280759da9cb5a2ab513f9df7fa8c7bd')
})
