import {
  bytesNeeded,
  streamSection,
  tableSection,
  type SectionContent,
  type WrittenEntry,
} from './cross-reference-writing.ts'
import { fileHeader, FileSink, fileTail, indirectObject } from './file-sink.ts'
import { linearizedFile } from './linearization.ts'
import { evenRuns, objectStream } from './object-stream-packing.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { fillIn, type Spelling } from './serialize.ts'
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
  const sink = new FileSink()
  sink.write(fileHeader(options.version))

  const entries: WrittenEntry[] = [{ offset: 0 }]
  const compressible: { index: number; spelling: Spelling }[] = []
  for (const [index, { spelling, data }] of document.objects.entries()) {
    if (options.objectStreams && data === null) {
      compressible.push({ index, spelling })
      continue
    }
    entries[index + 1] = { offset: sink.length }
    for (const part of indirectObject(index + 1, fillIn(spelling, oneMore), data)) sink.write(part)
  }

  let next = document.objects.length + 1
  for (const run of evenRuns(compressible)) {
    const members = run.map(({ index, spelling }) => ({
      number: index + 1,
      text: fillIn(spelling, oneMore),
    }))
    for (const [place, { number }] of members.entries()) {
      entries[number] = { objectStream: next, index: place }
    }
    entries[next] = { offset: sink.length }
    const { text, data } = objectStream(members)
    for (const part of indirectObject(next, text, data)) sink.write(part)
    next += 1
  }

  const start = sink.length
  const content: SectionContent = {
    first: 0,
    entries,
    size: options.objectStreams ? next + 1 : next,
    root: document.root + 1,
    info: document.info === null ? null : document.info + 1,
    previous: null,
  }
  if (options.objectStreams) {
    entries[next] = { offset: start }
    const offsetBytes = bytesNeeded(Math.max(start, next))
    sink.writeWithIdentifier(streamSection(content, next, offsetBytes).text)
  } else sink.writeWithIdentifier(tableSection(content).text)
  sink.write(fileTail(start))
  return sink.finish()
}

function oneMore(index: number): number {
  return index + 1
}
