import {
  bytesNeeded,
  streamSection,
  tableSection,
  type SectionContent,
  WrittenEntries,
} from './cross-reference-writing.ts'
import { fileHeader, FileSink, fileTail } from './file-sink.ts'
import { linearizedFile } from './linearization.ts'
import { evenRuns, objectStream } from './object-stream-packing.ts'
import type { ObjectGraph } from '../object-graph.ts'
import type { PdfVersion } from './required-version.ts'
import { writtenDocument, type WrittenDocument } from './written-document.ts'

export interface WriteOptions {
  /** Annex F: the first page can be shown before the rest has arrived. */
  readonly linearize: boolean
  /** Object streams and cross-reference streams (version 1.5 and later); else classical tables. */
  readonly objectStreams: boolean
  /** For the header. */
  readonly version: PdfVersion
}

/**
 * Writes the document in its canonical form: what is reachable from `/Root` and `/Info`, as one revision. Equal
 * graphs and options give equal bytes, on every machine, and writing what was read of an output gives that output.
 *
 * The graph must have a catalog with a page tree, and must not be encrypted.
 *
 * @throws {NotLinearizableError} with `linearize`, when the document does not fit Annex F
 * @throws {ResourceLimitError} when a stream that has to be decoded expands beyond the document's budget
 */
export function writePdf(graph: ObjectGraph, options: WriteOptions): Uint8Array {
  return writeDocument(writtenDocument(graph), options)
}

/**
 * The second half of {@link writePdf}, for those who look at the document before they choose the options.
 *
 * @throws {NotLinearizableError} with `linearize`, when the document does not fit Annex F
 */
export function writeDocument(document: WrittenDocument, options: WriteOptions): Uint8Array {
  if (options.objectStreams && options.version === '1.4') {
    throw new TypeError('object streams need version 1.5 (ISO 32000-2, 7.5.7)')
  }
  return options.linearize ? linearizedFile(document, options) : plainFile(document, options)
}

/** Numbers are places in canonical order; object streams and the cross-reference stream come after. */
function plainFile(document: WrittenDocument, options: WriteOptions): Uint8Array {
  const { objects } = document
  const numbers = Int32Array.from(objects.data, (_, index) => index + 1)
  const packed = options.objectStreams
    ? evenRuns([...objects.data.keys()].filter((index) => objects.data[index] === null))
    : []
  const end = 1 + objects.count + packed.length + (options.objectStreams ? 1 : 0)
  const entries = new WrittenEntries(end)
  const sink = new FileSink(objects, numbers)
  sink.write(fileHeader(options.version))

  for (const [index, data] of objects.data.entries()) {
    if (options.objectStreams && data === null) continue
    entries.setOffset(index + 1, sink.length)
    sink.writeObject(index)
  }
  for (const [place, members] of packed.entries()) {
    const number = 1 + objects.count + place
    for (const [index, member] of members.entries()) {
      entries.setCompressed(member + 1, number, index)
    }
    entries.setOffset(number, sink.length)
    sink.writeStream(number, objectStream(objects, members, numbers))
  }

  const start = sink.length
  const content: SectionContent = {
    entries,
    first: 0,
    end,
    size: end,
    root: document.root + 1,
    info: document.info === null ? null : document.info + 1,
    previous: null,
  }
  if (options.objectStreams) {
    entries.setOffset(end - 1, start)
    const offsetBytes = bytesNeeded(Math.max(start, end - 1))
    sink.writeWithIdentifier(streamSection(content, end - 1, offsetBytes).text)
  } else sink.writeWithIdentifier(tableSection(content).text)
  sink.write(fileTail(start))
  return sink.finish()
}
