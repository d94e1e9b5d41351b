import { decodeStream } from '../filter/decode-stream.ts'
import { type PdfDictionary, PdfStream } from '../object.ts'
import { defaultReadLimits, ResourceLimitError } from '../reading/read-limits.ts'
import type { ContentGraph } from './content-graph.ts'

/**
 * A page's content as one stream: its parts joined by white space (ISO 32000-2, 7.7.3.3, `/Contents`).
 *
 * @throws {ResourceLimitError} when the parts, of which one may be named many times, come to more than a stream may hold
 */
export function pageContent(graph: ContentGraph, page: PdfDictionary): Uint8Array {
  const contents = graph.resolve(page.get('Contents'))
  const streams = Array.isArray(contents) ? contents.map((item) => graph.resolve(item)) : [contents]
  const parts: Uint8Array[] = []
  let length = 0
  for (const stream of streams) {
    const bytes = stream instanceof PdfStream ? decodeStream(graph, stream) : null
    if (bytes === null) continue
    length += bytes.length + newline.length
    if (length > defaultReadLimits.maxStreamBytes) {
      throw new ResourceLimitError(
        `The content of a page comes to more than ${defaultReadLimits.maxStreamBytes} bytes`,
      )
    }
    parts.push(bytes)
  }
  const [only] = parts
  if (only && parts.length === 1) return only
  return Buffer.concat(parts.flatMap((part) => [part, newline]))
}

const newline = Buffer.from('\n')
