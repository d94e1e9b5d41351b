import { describe, expect, test } from 'vitest'
import { PdfDictionary, type PdfObject } from './object.ts'

const sizes = [0, 1, 5, 16, 17, 400]

describe.each(sizes)('A dictionary of %i entries', (size) => {
  const entries = Array.from({ length: size }, (_, index): [string, PdfObject] => [
    `K${(index * 7919) % 1_000}`,
    index,
  ])

  test('is what a map of them is', () => {
    const dictionary = new PdfDictionary(entries)
    const map = new Map(entries)
    expect([...dictionary]).toEqual([...map])
    expect([...dictionary.keys()]).toEqual([...map.keys()])
    expect([...dictionary.values()]).toEqual([...map.values()])
    expect(dictionary.size).toBe(map.size)
    expect(entries.every(([key, value]) => dictionary.get(key) === value)).toBe(true)
    expect(dictionary.has('Missing')).toBe(false)
    expect(dictionary.get('Missing')).toBeUndefined()
  })

  test('is gone through whole while its entries are deleted', () => {
    const dictionary = new PdfDictionary(entries)
    const met: string[] = []
    for (const [key] of dictionary) {
      met.push(key)
      expect(dictionary.delete(key)).toBe(true)
    }
    expect(met).toEqual(entries.map(([key]) => key))
    expect(dictionary.size).toBe(0)
  })

  test('has copies that go their own way', () => {
    const dictionary = new PdfDictionary(entries)
    const copy = new PdfDictionary(dictionary)
    copy.set('Added', true).set('K0', null)
    dictionary.delete('K7')
    expect(dictionary.has('Added')).toBe(false)
    expect(copy.get('Added')).toBe(true)
    expect([...new PdfDictionary(entries)]).toEqual(entries)
  })

  test('tells its entries in the byte order of their keys', () => {
    const dictionary = new PdfDictionary([...entries, ['a', [1, 2]], ['\xe4', 3], ['B', 4]])
    const sorted = [...dictionary].toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect(dictionary.inByteOrder()).toEqual(sorted.flat(1))
  })
})

test('A dictionary keeps the last of two values and the place of the first', () => {
  const dictionary = new PdfDictionary([
    ['A', 1],
    ['B', 2],
  ])
  dictionary.set('A', 3)
  expect([...dictionary]).toEqual([
    ['A', 3],
    ['B', 2],
  ])
})
