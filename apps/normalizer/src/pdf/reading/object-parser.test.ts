import { describe, expect, test } from 'vitest'
import { Lexer } from './lexer.ts'
import { PdfDictionary, PdfName, type PdfObject, PdfReference, PdfString } from '../object.ts'
import { isSame, parseObject } from './object-parser.ts'
import { ResourceLimitError } from './read-limits.ts'

describe('numbers', () => {
  test.each([
    ['0', 0],
    ['+17', 17],
    ['-98', -98],
    ['34.5', 34.5],
    ['-3.62', -3.62],
    ['4.', 4],
    ['-.002', -0.002],
    ['0.1', 0.1],
    ['123456.789012345678901234', 123456.78901234567],
    ['9'.repeat(400), 0],
    // What viewers make of numbers that are none.
    ['--5', -5],
    ['1.2.3', 1.2],
    ['12-34', 12],
    ['-', 0],
  ])('%s', (text, value) => {
    expect(parse(text)).toBe(value)
  })
})

describe('strings', () => {
  test.each([
    ['(plain)', 'plain'],
    ['(with (nested (ones)))', 'with (nested (ones))'],
    [String.raw`(\n\r\t\b\f\(\)\\\q)`, '\n\r\t\b\f()\\q'],
    [String.raw`(\53\0053\0\400)`, '+\x053\0\0'],
    ['(split \\\r\nline)', 'split line'],
    ['(line\r\nend\rend)', 'line\nend\nend'],
    ['(never closed', 'never closed'],
    ['()', ''],
    ['<4E6F>', 'No'],
    ['<4e 6F\n7>', 'Nop'],
    ['<>', ''],
  ])('%s', (text, value) => {
    const string = parse(text)
    expect(string).toBeInstanceOf(PdfString)
    expect(Buffer.from((string as PdfString).bytes).toString('latin1')).toBe(value)
  })
})

describe('names', () => {
  test.each([
    ['/Name', 'Name'],
    ['/A;Name_With-Various***Characters?', 'A;Name_With-Various***Characters?'],
    ['/lime#20Green', 'lime Green'],
    ['/Java#00Script', 'JavaScript'],
    ['/#4a#61vaScript', 'JavaScript'],
    ['/No#hex#', 'No#hex#'],
    ['/', ''],
    ['/Caf\xe9', 'Caf\xe9'],
  ])('%s', (text, value) => {
    expect(parse(text)).toEqual(new PdfName(value))
  })
})

describe('composite objects', () => {
  test('are read with everything in them', () => {
    expect(parse('[1 2 0 R/A(s)<< /K [true false null] >> % comment ]\n 3 0]')).toEqual([
      1,
      new PdfReference(2, 0),
      new PdfName('A'),
      new PdfString(Buffer.from('s')),
      dictionary({ K: [true, false, null] }),
      3,
      0,
    ])
  })

  test('tell references from numbers', () => {
    expect(parse('[1 2 3 0 R 4 5 RG 6 0 % comment\nR 7 -1 R]')).toEqual([
      1,
      2,
      new PdfReference(3, 0),
      4,
      5,
      null,
      new PdfReference(6, 0),
      7,
      -1,
      null,
    ])
  })

  test.each([
    ['a value is missing', '<< /A 1 /B >>', { A: 1, B: null }],
    ['a key is no name', '<< 1 /A 2 (x) /B 3 >>', { A: 2, B: 3 }],
    ['an array is not closed', '<< /A [1 2 >>', { A: [1, 2] }],
    ['it is not closed', '<< /A 1 /B [2 endobj', { A: 1, B: [2] }],
    ['the bytes end', '<< /A << /B 1', { A: dictionary({ B: 1 }) }],
    ['a stray bracket stands in it', '<< /A 1 ] /B 2 >>', { A: 1, B: 2 }],
  ])('dictionaries are read as viewers do when %s', (_, text, entries) => {
    expect(parse(text)).toEqual(dictionary(entries))
  })

  test('end before a keyword that ends objects', () => {
    const lexer = new Lexer(Buffer.from('endobj'))
    expect(parseObject(lexer, 10)).toBeUndefined()
    expect(lexer.position).toBe(0)
  })

  test('may be nested as deep as allowed', () => {
    expect(parse('[[[]]]', 2)).toEqual([[[]]])
    expect(() => parse('[[[[]]]]', 2)).toThrow(ResourceLimitError)
  })

  test('are compared by value', () => {
    const text = '<< /A [1 (s) /N 2 0 R] /B << /C null >> >>'
    expect(isSame(parse(text), parse('<< /B << /C null >> /A [1 (s) /N 2 0 R] >>'))).toBe(true)
    expect(isSame(parse(text), parse(text.replace('(s)', '(t)')))).toBe(false)
    expect(isSame(parse(text), parse(text.replace('2 0 R', '2 1 R')))).toBe(false)
  })
})

function parse(text: string, maxNestingDepth = 100): PdfObject {
  return parseObject(new Lexer(Buffer.from(text, 'latin1')), maxNestingDepth) ?? null
}

function dictionary(entries: Record<string, PdfObject>): PdfDictionary {
  return new PdfDictionary(Object.entries(entries))
}
