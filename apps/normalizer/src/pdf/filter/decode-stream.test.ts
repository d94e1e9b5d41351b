import { deflateRawSync, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeStream, decodeStreamPartly } from './decode-stream.ts'
import { PdfDictionary, PdfName, type PdfObject, PdfReference, PdfStream } from '../object.ts'
import { ResourceLimitError } from '../reading/read-limits.ts'

const graph = {
  resolve: (object: PdfObject | undefined): PdfObject =>
    object === undefined || object instanceof PdfReference ? null : object,
}

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(40)

describe('FlateDecode', () => {
  test('inflates', () => {
    expect(decoded(['FlateDecode'], deflateSync(text))).toBe(text)
  })

  test('gives what comes before the place where data breaks off', () => {
    const data = deflateSync(Buffer.from(noise(5000)))
    const { bytes, damaged } = partly(['FlateDecode'], data.subarray(0, 3000))
    expect(bytes.length).toBeGreaterThan(2500)
    expect(Buffer.from(bytes)).toEqual(Buffer.from(noise(5000).subarray(0, bytes.length)))
    expect(damaged).toBe(true)
  })

  test('gives what comes before the place where data is corrupt', () => {
    // RFC 1951, 3.2.4: a block as it is, then one whose two lengths contradict each other.
    const block = [0x00, 0x04, 0x00, 0xfb, 0xff, ...Buffer.from('text')]
    const data = Buffer.from([0x78, 0x01, ...block, 0x00, 0x04, 0x00, 0x55, 0x55, ...block])
    const { bytes, damaged } = partly(['FlateDecode'], data)
    expect(damaged).toBe(true)
    expect(Buffer.from(bytes).toString()).toBe('text')
  })

  test('does not need the checksum, nor the header', () => {
    const wrongChecksum = deflateSync(text)
    wrongChecksum.fill(0, wrongChecksum.length - 4)
    expect(decoded(['FlateDecode'], wrongChecksum)).toBe(text)
    expect(decoded(['FlateDecode'], deflateRawSync(text))).toBe(text)
    expect(decoded(['FlateDecode'], Buffer.from('not deflated at all'))).toBe('')
  })

  test('undoes the predictors of PNG', () => {
    const rows = [
      [0, 1, 2, 3, 4],
      [1, 1, 1, 1, 1],
      [2, 1, 1, 1, 1],
      [3, 2, 2, 2, 2],
      [4, 1, 1, 1, 1],
    ]
    const parameters = { Predictor: 15, Columns: 4 }
    expect([
      ...(decodeStream(
        graph,
        streamOf(['FlateDecode'], deflateSync(Buffer.from(rows.flat())), parameters),
      ) ?? []),
    ]).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 2, 3, 4, 5, 3, 5, 6, 7, 4, 6, 7, 8])
  })

  test('undoes the predictor of TIFF at 8, 16 and 4 bits', () => {
    const undo = (bytes: number[], BitsPerComponent: number, Columns: number): number[] => [
      ...(decodeStream(
        graph,
        streamOf(['FlateDecode'], deflateSync(Buffer.from(bytes)), {
          Predictor: 2,
          Columns,
          BitsPerComponent,
        }),
      ) ?? []),
    ]
    expect(undo([1, 1, 1, 5, 1, 1], 8, 3)).toEqual([1, 2, 3, 5, 6, 7])
    expect(undo([0, 0xff, 0, 1], 16, 2)).toEqual([0, 0xff, 1, 0])
    expect(undo([0x11, 0x1f], 4, 4)).toEqual([0x12, 0x32])
  })
})

describe('other filters', () => {
  test('LZWDecode is undone (the example of ISO 32000-2, 7.4.4.2)', () => {
    const data = Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01])
    expect(decoded(['LZWDecode'], data)).toBe('-----A---B')
  })

  test('ASCIIHexDecode is undone, an odd digit completed', () => {
    expect(decoded(['ASCIIHexDecode'], Buffer.from('48 65\n6C6c 6F7>ignored'))).toBe('Hellop')
  })

  test('ASCII85Decode is undone, with z and an incomplete group', () => {
    expect(decoded(['ASCII85Decode'], Buffer.from('87cURD]i,"Ebo80~>'))).toBe('Hello World!')
    expect(decoded(['ASCII85Decode'], Buffer.from('<~z87cUR\nDZ~>'))).toBe('\0\0\0\0Hello')
    expect(decoded(['ASCII85Decode'], Buffer.from('z'.repeat(100)))).toBe('\0'.repeat(400))
  })

  test('RunLengthDecode is undone', () => {
    expect(decoded(['RunLengthDecode'], Buffer.from('\x02abc\xfex\x80junk', 'latin1'))).toBe(
      'abcxxx',
    )
  })

  test('are chained in order, abbreviations included', () => {
    const hex = Buffer.from(`${deflateSync(text).toString('hex')}>`)
    expect(decoded(['AHx', 'Fl'], hex)).toBe(text)
  })

  test('that make images are left, and it is said which', () => {
    const data = deflateSync('jpeg')
    expect(decodeStream(graph, streamOf(['FlateDecode', 'DCTDecode'], data))).toBeNull()
    const { bytes, remainingFilters } = partly(['FlateDecode', 'DCT'], data)
    expect(Buffer.from(bytes).toString()).toBe('jpeg')
    expect(remainingFilters).toEqual(['DCTDecode'])
  })

  test('without a filter the data itself is given', () => {
    const stream = streamOf([], Buffer.from(text))
    expect(decodeStream(graph, stream)).toBe(stream.data)
  })
})

describe('limits', () => {
  test('stop data that expands too far, in every filter that expands', () => {
    const zeros = Buffer.alloc(1_000_000)
    const expand = (filters: string[], data: Uint8Array) => () =>
      decodeStream(graph, streamOf(filters, data), { maxStreamBytes: 100_000 })

    expect(expand(['FlateDecode'], deflateSync(zeros))).toThrow(ResourceLimitError)
    const twice = deflateSync(deflateSync(zeros))
    expect(expand(['FlateDecode', 'FlateDecode'], twice)).toThrow(ResourceLimitError)
    const runs = Buffer.from('\x81\x00'.repeat(1000), 'latin1')
    expect(expand(['RunLengthDecode'], runs)).toThrow(ResourceLimitError)
    expect(expand(['ASCII85Decode'], Buffer.alloc(30_000, 'z'))).toThrow(ResourceLimitError)
  })
})

function streamOf(
  filters: string[],
  data: Uint8Array,
  parameters: Record<string, number> = {},
): PdfStream {
  const dictionary = new PdfDictionary()
  if (filters.length > 0) {
    dictionary.set(
      'Filter',
      filters.map((name) => new PdfName(name)),
    )
  }
  dictionary.set('DecodeParms', [new PdfDictionary(Object.entries(parameters))])
  return new PdfStream(dictionary, data)
}

function partly(filters: string[], data: Uint8Array): ReturnType<typeof decodeStreamPartly> {
  return decodeStreamPartly(graph, streamOf(filters, data))
}

function decoded(filters: string[], data: Uint8Array): string {
  const bytes = decodeStream(graph, streamOf(filters, data))
  return Buffer.from(bytes ?? []).toString('latin1')
}

/** The same bytes each time, and nothing that deflate could shorten much. */
function noise(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state >>> 16
  })
}
