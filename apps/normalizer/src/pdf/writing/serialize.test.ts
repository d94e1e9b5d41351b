import { describe, expect, test } from 'vitest'
import { dictionary, name, reference, stream, text } from '../../../test/memory-graph.ts'
import type { PdfObject } from '../object.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { serializeName, serializeNumber } from './serialize.ts'
import { type ReferenceRange, SpelledObjects } from './spelled-objects.ts'

describe('Numbers are written in one shortest form without exponents', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [42, '42'],
    [-7, '-7'],
    [0.5, '.5'],
    [-0.5, '-.5'],
    [10.5, '10.5'],
    [100.25, '100.25'],
    [1 / 3, '.3333333333'],
    [2 / 3, '.6666666667'],
    [1 / 65_536, '.0000152588'],
    [1e-7, '.0000001'],
    [1e-11, '0'],
    [-1e-11, '0'],
    [0.1 + 0.2, '.3'],
    [123_456_789.123, '123456789.123'],
    [1e20, '100000000000000000000'],
    [1e22, '10000000000000000000000'],
    [Infinity, `3403${'0'.repeat(35)}`],
    [-1e300, `-3403${'0'.repeat(35)}`],
  ])('%d is %s', (value, expected) => {
    expect(serializeNumber(value)).toBe(expected)
  })

  test('what was written is written the same when it is read again', () => {
    for (const value of manyNumbers()) {
      const once = serializeNumber(value)
      expect(once).toMatch(/^-?(\d+(\.\d+)?|\.\d+)$/)
      expect(serializeNumber(Number(once))).toBe(once)
    }
  })

  test('what is no number is a fault', () => {
    expect(() => serializeNumber(NaN)).toThrow(TypeError)
  })
})

test.each([
  ['Type', '/Type'],
  ['', '/'],
  ['A B', '/A#20B'],
  ['#', '/#23'],
  ['(a)/[b]<c>{d}%', '/#28a#29#2F#5Bb#5D#3Cc#3E#7Bd#7D#25'],
  ['\x00\x7f\xff', '/#00#7F#FF'],
])('the name %j is written %s', (value, expected) => {
  expect(serializeName(value)).toBe(expected)
})

test.each([
  ['', '()'],
  ['plain', '(plain)'],
  ['(a) \\ b', '(\\(a\\) \\\\ b)'],
  ['line\n', '<6c696e650a>'],
  ['\xfe\xff\x00A', '<feff0041>'],
])('the string %j is written %s', (value, expected) => {
  expect(written(text(value))).toBe(expected)
})

test('tokens are parted only where they would run together', () => {
  const object = dictionary({
    Kids: [1, 2.5, true, name('A'), name('B'), 3, text('x'), 4, [null, 5], reference(6), 7],
    A: name('Value'),
    B: dictionary({}),
  })
  expect(written(object)).toBe('<</A/Value/B<<>>/Kids[1 2.5 true/A/B 3(x)4[null 5]6 0 R 7]>>')
})

test('keys are in byte order whatever the order in memory', () => {
  const one = dictionary({ b: 1, a: 2, A: 3, '\xe4': 4 })
  const other = dictionary({ '\xe4': 4, A: 3, a: 2, b: 1 })
  expect(written(one)).toBe('<</A 3/a 2/b 1/#E4 4>>')
  expect(written(other)).toBe(written(one))
})

test('an entry that leads to nothing is left out, an element becomes null', () => {
  const object = dictionary({ A: null, B: reference(404), C: [reference(404), reference(1)] })
  expect(written(object)).toBe('<</C[null 1 0 R]>>')
})

test('nesting costs no call depth', () => {
  let object: PdfObject = 0
  for (let depth = 0; depth < 50_000; depth += 1) {
    object = depth % 2 ? dictionary({ D: object }) : [object]
  }
  // 25,000 times `<</D[` and `]>>` around a zero.
  expect(written(object)).toHaveLength(25_000 * 8 + 1)
})

test('what contains itself ends', () => {
  const endless: PdfObject[] = []
  endless.push(endless)
  expect(() => written(endless)).toThrow(RangeError)
})

test('ranges tell which references belong to which key', () => {
  const object = dictionary({
    Parent: reference(1),
    Annots: [reference(2), dictionary({ P: reference(3) })],
    Count: 4,
    Thumb: stream({}),
  })
  const objects = new SpelledObjects()
  const ranges = new Map<string, ReferenceRange>()
  objects.add(dictionary({ Before: reference(5) }), null, surroundings)
  objects.add(object, null, surroundings, ranges)
  const [from, to] = objects.references(1)
  expect([0, 1, 2, 3].map((place) => objects.target(from + place))).toEqual([2, 3, 1, 99])
  expect([from, to]).toEqual([1, 5])
  expect(Object.fromEntries(ranges)).toEqual({
    Annots: [1, 3],
    Count: [3, 3],
    Parent: [3, 4],
    Thumb: [4, 5],
  })
})

const surroundings = {
  identify: (target: object) => {
    const number = 'number' in target ? Number(target.number) : 99
    return number === 404 ? null : number
  },
  omits: () => false,
  meet: () => {},
}

function written(object: PdfObject): string {
  const objects = new SpelledObjects()
  objects.add(object, null, surroundings)
  const sameNumbers = Int32Array.from({ length: 100 }, (_, index) => index)
  const bytes = new GrowingBytes(0)
  objects.write(0, sameNumbers, bytes)
  expect(objects.lengthOf(0, sameNumbers)).toBe(bytes.length)
  return Buffer.from(bytes.written).toString('latin1')
}

function manyNumbers(): number[] {
  const numbers: number[] = []
  let state = 1
  for (let i = 0; i < 2_000; i += 1) {
    // A linear congruential generator: the same numbers in every run.
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    numbers.push((state / 2 ** 31 - 0.5) * 10 ** ((i % 40) - 14))
  }
  return numbers
}
