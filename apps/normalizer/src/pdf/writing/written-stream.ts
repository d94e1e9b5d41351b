import { decodeStream, type FilterGraph, filtersOf } from '../filter/decode-stream.ts'
import { PdfDictionary, PdfName, PdfStream } from '../object.ts'
import { zlibOf } from './deflate.ts'

/**
 * The stream as it is written; the given one is not changed. What is compressed with Flate, and what an image
 * codec made, keeps its bytes. Everything else is decoded and deflated, unless that would make it longer.
 *
 * @param plain for streams that have to be readable without a filter: the document's XMP (ISO 19005-1, 6.7.2)
 * @throws {ResourceLimitError} when the data expands beyond the document's budget
 */
export function writtenStream(graph: FilterGraph, stream: PdfStream, plain: boolean): PdfStream {
  const filters = filtersOf(graph, stream)
  if (plain) return filters.length === 0 ? stream : withData(stream, decodeStream(graph, stream))
  if (!filters.every(({ name }) => generalFilters.has(name))) return stream

  const last = filters.at(-1)
  if (last?.name !== 'FlateDecode') {
    return deflated(filters.length === 0 ? stream : withData(stream, decodeStream(graph, stream)))
  }
  if (filters.length === 1) return stream

  // Takes off what wraps the Flate data and leaves that, with its parameters, as it is.
  const outer = new PdfDictionary(stream.dictionary)
  const names = filters.slice(0, -1).map(({ name }) => new PdfName(name))
  outer.set('Filter', names)
  outer.set(
    'DecodeParms',
    filters.slice(0, -1).map(({ parameters }) => parameters),
  )
  const inner = decodeStream(graph, new PdfStream(outer, stream.data))
  const unwrapped = withData(stream, inner)
  if (unwrapped === stream) return stream
  unwrapped.dictionary.set('Filter', flateDecode)
  if (last.parameters) unwrapped.dictionary.set('DecodeParms', last.parameters)
  return unwrapped
}

/**
 * Zlib data; null if it would not be shorter, counting the entry that names the filter. Decides the same for data that
 * it has left plain before.
 */
export function deflate(data: Uint8Array): Uint8Array | null {
  const deflated = zlibOf(data)
  return deflated.byteLength + filterEntryLength < data.byteLength ? deflated : null
}

function deflated(stream: PdfStream): PdfStream {
  const data = deflate(stream.data)
  if (data === null) return stream
  const result = withData(stream, data)
  result.dictionary.set('Filter', flateDecode)
  return result
}

/** The stream with other data and no filter; itself if there is no data. */
function withData(stream: PdfStream, data: Uint8Array | null): PdfStream {
  if (data === null) return stream
  const dictionary = new PdfDictionary(stream.dictionary)
  for (const key of ['Filter', 'DecodeParms', 'DP']) dictionary.delete(key)
  return new PdfStream(dictionary, data)
}

const flateDecode = new PdfName('FlateDecode')
const filterEntryLength = '/Filter/FlateDecode'.length

/** 7.4.2 to 7.4.5. */
const generalFilters = new Set([
  'FlateDecode',
  'ASCIIHexDecode',
  'ASCII85Decode',
  'LZWDecode',
  'RunLengthDecode',
])
