import { describe, expect, test } from 'vitest'
import { parseAsn1 } from './asn1.ts'
import { sizeOfEncoding } from './encoding-size.ts'

describe('the size of an encoding', () => {
  test('counts values of the definite and of the indefinite form', () => {
    expect(size('30 06 05 00 30 02 05 00')).toEqual({ values: 4, depth: 3 })
    // Each end of contents is a value of its own.
    expect(size('30 80 05 00 30 80 05 00 00 00 00 00')).toEqual({ values: 6, depth: 3 })
    expect(size('bf 81 00 04 04 02 30 00')).toEqual({ values: 2, depth: 2 })
  })

  test('ends with the first value, and with what is cut off', () => {
    expect(size('05 00 05 00')).toEqual({ values: 1, depth: 1 })
    expect(size('30 84 7f ff ff ff 05')).toEqual({ values: 1, depth: 1 })
    expect(size('')).toEqual({ values: 0, depth: 0 })
  })

  test('is told no further than asked', () => {
    const nested = Buffer.alloc(2_000_000, Buffer.from('3080', 'hex'))

    expect(sizeOfEncoding(nested, 10, 1_000).values).toBe(11)
    expect(sizeOfEncoding(nested, 1_000_000, 10).depth).toBe(11)
  })
})

test('a signature of more values than any has is refused before a parser sees it', () => {
  const values = 200_000
  const content = Buffer.alloc(values * 2, Buffer.from('0500', 'hex'))
  const header = Buffer.from('308300000000', 'hex').subarray(0, 5)
  header.writeUIntBE(content.length, 2, 3)

  expect(() => parseAsn1(Buffer.concat([header, content]))).toThrow('more values than a signature')
  const nested = Buffer.alloc(1_000, Buffer.from('3080', 'hex'))
  expect(() => parseAsn1(nested)).toThrow('more values than a signature')
})

function size(hex: string): ReturnType<typeof sizeOfEncoding> {
  return sizeOfEncoding(Buffer.from(hex.replaceAll(' ', ''), 'hex'), 1_000, 1_000)
}
