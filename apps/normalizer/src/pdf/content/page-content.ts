import { decodeStream } from '../filter/decode-stream.ts'
import { type PdfDictionary, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/** A page's content as one stream: its parts joined by white space (ISO 32000-2, 7.7.3.3, `/Contents`). */
export function pageContent(graph: ObjectGraph, page: PdfDictionary): Uint8Array {
  const contents = graph.resolve(page.get('Contents'))
  const streams = Array.isArray(contents) ? contents.map((item) => graph.resolve(item)) : [contents]
  const parts = streams.flatMap((stream) => {
    const bytes = stream instanceof PdfStream ? decodeStream(graph, stream) : null
    return bytes ? [bytes] : []
  })
  const [only] = parts
  if (only && parts.length === 1) return only
  return Buffer.concat(parts.flatMap((part) => [part, newline]))
}

const newline = Buffer.from('\n')
