import { skipEndOfLine } from './character-set.ts'
import {
  type CrossReferenceChain,
  readCrossReferenceChain,
  type SectionInProgress,
} from './cross-reference.ts'
import { EntryTable, EntryType } from './entry-table.ts'
import { readIndirectObject, readObjectHeader, type StreamExtent } from './indirect-object.ts'
import { readHeader } from './file-header.ts'
import { LazyObjectGraph } from './lazy-object-graph.ts'
import { lexicalFacts } from './lexical-facts.ts'
import { readLinearization } from './linearization-dictionary.ts'
import { LiveEntries, locateEntries, mergeSections } from './live-entries.ts'
import { MAX_OBJECT_NUMBER, PdfDictionary, PdfStream } from '../object.ts'
import { readObjectStream } from './object-stream.ts'
import { type ObjectScan, scanObjects } from './object-scan.ts'
import type {
  FileHeader,
  LexicalFacts,
  ObjectProvenance,
  PdfFile,
  Revision,
  StructuralRepairs,
} from '../pdf-file.ts'
import { defaultReadLimits, type ReadLimits } from './read-limits.ts'
import { hasCatalog, rebuildRoot } from './rebuild-root.ts'
import { findRevisions } from './revision.ts'

/**
 * Reads the cross-reference chain of a file; objects are parsed when they are asked for. Where the chain cannot be
 * used, objects are found by scanning, and the last definition of a number counts. The document as of revision k is
 * `readPdf(bytes.subarray(0, revision.end))`.
 *
 * @throws {MalformedPdfError} when neither a catalog nor a page tree can be found
 * @throws {ResourceLimitError} when the file costs more than the limits allow
 */
export function readPdf(bytes: Uint8Array, limits: ReadLimits = defaultReadLimits): PdfFile {
  return new FileReader(bytes, limits)
}

class FileReader implements PdfFile {
  readonly bytes: Uint8Array
  readonly header: FileHeader
  readonly sections: readonly SectionInProgress[]
  readonly revisions: readonly Revision[]
  readonly linearization: PdfFile['linearization']
  readonly repairs: StructuralRepairs
  readonly encrypted: boolean
  readonly graph: LazyObjectGraph

  readonly #limits: ReadLimits
  #scan: ObjectScan | null = null
  /** Empty where nothing had to be scanned. */
  #scannedTable = new EntryTable()
  #starts: Float64Array | null = null
  readonly #streamExtents = new Map<number, StreamExtent | null>()

  constructor(bytes: Uint8Array, limits: ReadLimits) {
    this.bytes = bytes
    this.#limits = limits
    this.header = readHeader(bytes)
    this.graph = new LazyObjectGraph(bytes, limits)

    const chain = readCrossReferenceChain(this.graph.context, this.header.offset ?? 0, limits)
    this.sections = chain.sections
    const { live: merged, freed } = mergeSections(chain.sections)
    const mismatchedEntries = locateEntries(bytes, merged, this.header.offset ?? 0, chain.base)

    const usable = chain.sections.length > 0
    let live = merged
    if (!usable || chain.broken) {
      live = merged.withScanned(this.#scannedEntries(), (number) => !freed.has(number))
    } else if (mismatchedEntries.length > 0) {
      const numbers = new Set(mismatchedEntries.map(({ number }) => number))
      live = merged.withScanned(this.#scannedEntries(), (number) => numbers.has(number))
    }
    this.graph.load(live, this.#trailer(chain))
    this.encrypted = this.graph.resolve(this.graph.trailer.get('Encrypt')) !== null

    let rebuilt = !usable || chain.broken || mismatchedEntries.length > 0
    let rootRebuilt = false
    if (!this.encrypted && !hasCatalog(this.graph)) {
      if (!rebuilt || usable) {
        this.#loadScanned()
        rebuilt = true
      }
      if (!hasCatalog(this.graph)) {
        rebuildRoot(this.graph)
        rootRebuilt = true
      }
    }

    this.repairs = {
      crossReferenceRebuilt: rebuilt,
      mismatchedEntries,
      missingTrailer: chain.missingTrailer || !usable,
      missingEndOfFile: lastEndOfFile(bytes) === null,
      rootRebuilt,
      brokenChain: chain.broken,
    }
    this.linearization = readLinearization(this.graph.context, this.header.offset ?? 0)
    this.revisions = findRevisions({
      context: this.graph.context,
      sections: this.sections,
      base: chain.base,
      linearizedLength: this.#linearizedLength(),
      isInStream: (offset) => this.isInStream(offset),
    })
    // Kept until here, for it costs a pass over the file; of many objects it is as large as they are.
    this.#scan = null
  }

  get endOfFile(): number | null {
    let end = lastEndOfFile(this.bytes)
    while (end !== null && this.isInStream(end.start)) {
      end = lastEndOfFile(this.bytes, end.start - 1)
    }
    return end === null ? null : end.end
  }

  provenance(number: number): ObjectProvenance | null {
    const live = this.graph.live.get(number)
    if (live === undefined) return null
    const { entry, section } = live
    if (entry.kind === 'compressed') {
      const { objectStream, index } = entry
      return { kind: 'compressed', objectStream, index, section }
    }
    const header = readObjectHeader(this.bytes, entry.offset)
    const end = this.#endOf(number, entry.offset)
    if (header === null || end === null) return null
    const { start, generation } = header
    return { kind: 'offset', start, end, generation, section }
  }

  lexicalFacts(number: number): LexicalFacts | null {
    const { bytes, graph } = this
    const entry = graph.live.get(number)?.entry
    if (entry?.kind !== 'offset') return null
    const data = dataInFile(graph, number, entry.offset)
    const header = readObjectHeader(bytes, entry.offset)
    const end = this.#endOf(number, entry.offset)
    return header === null || end === null ? null : lexicalFacts(bytes, header, end, data)
  }

  #endOf(number: number, offset: number): number | null {
    const { graph } = this
    return graph.endOf(number) ?? readIndirectObject(graph.context, offset)?.end ?? null
  }

  odditiesOf(number: number): number {
    this.graph.get(number)
    return this.graph.odditiesOf(number)
  }

  get usesObjectStreams(): boolean {
    const { live } = this.graph
    for (const number of live.numbers()) {
      if (live.get(number)?.entry.kind === 'compressed') return true
    }
    return false
  }

  isInStream(offset: number): boolean {
    const start = lastAtOrBefore(this.#objectStarts(), offset)
    if (start === null) return false
    let extent = this.#streamExtents.get(start)
    if (extent === undefined) {
      extent = readIndirectObject(this.graph.context, start)?.stream ?? null
      this.#streamExtents.set(start, extent)
    }
    return extent !== null && offset >= extent.dataStart && offset < extent.dataEnd
  }

  /** Where objects begin, in ascending order: of every revision, and what scanning found. */
  #objectStarts(): Float64Array {
    if (this.#starts !== null) return this.#starts
    const tables = [...this.sections.map(({ entries }) => entries), this.#scannedTable]
    const starts = new Float64Array(tables.reduce((sum, { size }) => sum + size, 0))
    let count = 0
    for (const entries of tables) {
      for (let slot = 0; slot < entries.size; slot += 1) {
        if (entries.typeAt(slot) === EntryType.offset) starts[count++] = entries.offsetAt(slot)
      }
    }
    this.#starts = starts.subarray(0, count).sort()
    return this.#starts
  }

  #linearizedLength(): number | null {
    if (this.linearization === null || !this.linearization.intact) return null
    const length = this.linearization.dictionary.get('L')
    return typeof length === 'number' ? length + (this.header.offset ?? 0) : null
  }

  /** Everything as scanning finds it, whatever the sections say. */
  #loadScanned(): void {
    const live = new LiveEntries([]).withScanned(this.#scannedEntries(), () => true)
    this.graph.load(live, this.#scannedTrailer(this.graph.trailer))
  }

  #scanned(): ObjectScan {
    this.#scan ??= scanObjects(this.graph.context, this.#limits)
    return this.#scan
  }

  /** In the order of the file; a number may come several times. */
  #scannedEntries(): EntryTable {
    const entries = new EntryTable()
    for (const { number, generation, offset, objectStream } of this.#scanned().objects) {
      entries.append(number, EntryType.offset, offset, generation)
      if (objectStream === null) continue
      const contents = readObjectStream(this.graph, objectStream, this.#limits)
      for (const [index, compressed] of (contents?.numbers ?? []).entries()) {
        if (!Number.isInteger(compressed) || compressed < 1 || compressed > MAX_OBJECT_NUMBER)
          continue
        entries.append(compressed, EntryType.compressed, number, index)
      }
    }
    this.#scannedTable = entries.finish()
    return entries
  }

  #trailer(chain: CrossReferenceChain): PdfDictionary {
    const newest = chain.sections[0]
    if (newest === undefined) return this.#scannedTrailer(new PdfDictionary())
    const trailer = new PdfDictionary(newest.trailer)
    for (const { trailer: older } of chain.sections) inherit(trailer, older)
    return chain.broken && !trailer.has('Root') ? this.#scannedTrailer(trailer) : trailer
  }

  #scannedTrailer(known: PdfDictionary): PdfDictionary {
    const trailer = new PdfDictionary()
    for (const candidate of this.#scanned().trailers.toReversed()) inherit(trailer, candidate)
    inherit(trailer, known)
    return trailer
  }
}

/** The data of a stream as it stands in the file, also of one that was edited; null for other objects. */
function dataInFile(graph: LazyObjectGraph, number: number, offset: number): Uint8Array | null {
  const object = graph.get(number)
  const { bytes } = graph.context
  if (object instanceof PdfStream && object.data.buffer === bytes.buffer) return object.data
  const read = object instanceof PdfStream ? readIndirectObject(graph.context, offset) : null
  return read?.object instanceof PdfStream ? read.object.data : null
}

function lastEndOfFile(
  bytes: Uint8Array,
  before: number = bytes.length,
): { start: number; end: number } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = before < 0 ? -1 : buffer.lastIndexOf('%%EOF', before, 'latin1')
  return start < 0 ? null : { start, end: skipEndOfLine(bytes, start + 5) }
}

/** The largest of ascending numbers that is not larger than `limit`; null if all are. */
function lastAtOrBefore(ascending: Float64Array, limit: number): number | null {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : (ascending[low - 1] ?? null)
}

const documentKeys = ['Root', 'Info', 'ID', 'Encrypt'] as const

function inherit(trailer: PdfDictionary, older: PdfDictionary): void {
  for (const key of documentKeys) {
    const value = older.get(key)
    if (value !== undefined && value !== null && !trailer.has(key)) trailer.set(key, value)
  }
}
