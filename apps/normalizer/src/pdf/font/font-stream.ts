import type { FontGraph } from '../content/content-graph.ts'
import { decodeStream } from '../filter/decode-stream.ts'
import { type PdfObject, PdfStream } from '../object.ts'

/** Reading a font's stream takes as long as executing so many times its length; what it is read into takes as much memory. */
const weight = 4

/**
 * The decoded data of a stream that belongs to a font; null for anything else, and for what cannot be decoded.
 *
 * @throws {ContentBudgetError} when the document's budget is used up: fonts may share streams
 */
export function fontStream(graph: FontGraph, object: PdfObject | undefined): Uint8Array | null {
  const stream = graph.resolve(object)
  const bytes = stream instanceof PdfStream ? decodeStream(graph, stream) : null
  if (bytes) graph.contentBudget.spend(bytes.length * weight)
  return bytes
}
