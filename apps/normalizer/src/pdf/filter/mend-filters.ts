import { isName, PdfName, type PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { decodeStreamPartly, filtersOf, isFilterName } from './decode-stream.ts'

/**
 * Takes filters that do not exist off a stream. PDFium, MuPDF and pdf.js go on with the data as it is, and what they show
 * has to be what is looked at and hashed; in the rewritten document every reader sees the same. Images stay: of data
 * that nobody can decode no picture becomes. Nor does a drawing, which is emptied.
 *
 * @returns whether there was one
 */
export function mendFilters(graph: ObjectGraph, stream: PdfStream): boolean {
  const { dictionary } = stream
  const filters = filtersOf(graph, stream)
  if (filters.every(({ name }) => isFilterName(name))) return false
  if (isName(graph.resolve(dictionary.get('Subtype')), 'Image')) return false

  if (isDrawing(graph, stream) && isUndecodable(graph, stream)) stream.data = new Uint8Array()
  const known = filters.filter(({ name }) => isFilterName(name))
  for (const key of [dictionary.has('Filter') ? 'Filter' : 'F', 'DecodeParms', 'DP']) {
    dictionary.delete(key)
  }
  if (known.length === 0) return true
  dictionary.set(
    'Filter',
    known.map(({ name }) => new PdfName(name)),
  )
  dictionary.set(
    'DecodeParms',
    known.map(({ parameters }) => parameters),
  )
  return true
}

/** Whether the data is for a filter that does not exist and does not read like content as it is, either. */
export function isUndecodable(graph: ObjectGraph, stream: PdfStream): boolean {
  if (filtersOf(graph, stream).every(({ name }) => isFilterName(name))) return false
  const { bytes } = decodeStreamPartly(graph, stream)
  return bytes.subarray(0, lookedAt).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))
}

/** Encoded data shows what it is within a few bytes; content may hold an inline image further on. */
const lookedAt = 64

/** ISO 32000-2, 8.10 and 8.7.3: form XObjects and tiling patterns. */
function isDrawing(graph: ObjectGraph, { dictionary }: PdfStream): boolean {
  const isForm = isName(graph.resolve(dictionary.get('Subtype')), 'Form')
  return isForm || graph.resolve(dictionary.get('PatternType')) === 1
}
