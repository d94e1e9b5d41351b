import { skipEndOfLine } from './character-set.ts'
import {
  type CrossReferenceChain,
  readCrossReferenceChain,
  type SectionInProgress,
} from './cross-reference.ts'
import { readIndirectObject, type StreamExtent } from './indirect-object.ts'
import { readHeader } from './file-header.ts'
import { LazyObjectGraph, type LiveEntry } from './lazy-object-graph.ts'
import { lexicalFacts } from './lexical-facts.ts'
import { readLinearization } from './linearization-dictionary.ts'
import { locateEntries, mergeSections } from './live-entries.ts'
import { MAX_OBJECT_NUMBER, PdfDictionary } from '../object.ts'
import { readObjectStream } from './object-stream.ts'
import { type ObjectScan, scanObjects } from './object-scan.ts'
import type {
  FileHeader,
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
  #live: ReadonlyMap<number, LiveEntry>
  #starts: Float64Array | null = null
  readonly #streamExtents = new Map<number, StreamExtent | null>()
  readonly #provenance = new Map<number, ObjectProvenance>()

  constructor(bytes: Uint8Array, limits: ReadLimits) {
    this.bytes = bytes
    this.#limits = limits
    this.header = readHeader(bytes)
    this.graph = new LazyObjectGraph(bytes, limits)

    const chain = readCrossReferenceChain(this.graph.context, this.header.offset ?? 0, limits)
    this.sections = chain.sections
    const { live, freed } = mergeSections(chain.sections)
    const mismatchedEntries = locateEntries(bytes, live, this.header.offset ?? 0, chain.base)

    const usable = chain.sections.length > 0
    if (!usable || chain.broken) {
      this.#addScanned(live, (number) => !freed.has(number))
    } else if (mismatchedEntries.length > 0) {
      const numbers = new Set(mismatchedEntries.map(({ number }) => number))
      this.#addScanned(live, (number) => numbers.has(number))
    }
    this.#live = live
    this.graph.load(this.#live, this.#trailer(chain))
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
  }

  get endOfFile(): number | null {
    let end = lastEndOfFile(this.bytes)
    while (end !== null && this.isInStream(end.start)) {
      end = lastEndOfFile(this.bytes, end.start - 1)
    }
    return end === null ? null : end.end
  }

  provenance(number: number): ObjectProvenance | null {
    const known = this.#provenance.get(number)
    if (known !== undefined) return known
    const live = this.#live.get(number)
    if (live === undefined) return null

    const provenance = this.#provenanceOf(live)
    if (provenance !== null) this.#provenance.set(number, provenance)
    return provenance
  }

  get usesObjectStreams(): boolean {
    for (const { entry } of this.#live.values()) if (entry.kind === 'compressed') return true
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
    const starts = new Set<number>()
    for (const { entries } of this.sections) {
      for (const entry of entries.values()) if (entry.kind === 'offset') starts.add(entry.offset)
    }
    for (const { entry } of this.#live.values())
      if (entry.kind === 'offset') starts.add(entry.offset)
    this.#starts = Float64Array.from(starts).sort()
    return this.#starts
  }

  #provenanceOf({ entry, section }: LiveEntry): ObjectProvenance | null {
    if (entry.kind === 'compressed') {
      const { objectStream, index } = entry
      return { kind: 'compressed', objectStream, index, section }
    }
    const read = readIndirectObject(this.graph.context, entry.offset)
    if (read === null) return null
    const { start, end, generation } = read
    const lexical = lexicalFacts(this.bytes, read)
    return { kind: 'offset', start, end, generation, section, lexical }
  }

  #linearizedLength(): number | null {
    if (this.linearization === null || !this.linearization.intact) return null
    const length = this.linearization.dictionary.get('L')
    return typeof length === 'number' ? length + (this.header.offset ?? 0) : null
  }

  /** Adds what scanning finds under numbers that have no entry yet. The last definition in the file counts. */
  #addScanned(live: Map<number, LiveEntry>, wanted: (number: number) => boolean): void {
    const found = new Map<number, LiveEntry>()
    for (const [number, entry] of this.#scannedEntries()) {
      if (wanted(number) && !live.has(number)) found.set(number, { entry, section: null })
    }
    for (const [number, entry] of found) live.set(number, entry)
  }

  /** Everything as scanning finds it, whatever the sections say. */
  #loadScanned(): void {
    const live = new Map<number, LiveEntry>()
    for (const [number, entry] of this.#scannedEntries()) live.set(number, { entry, section: null })
    this.#live = live
    this.graph.load(live, this.#scannedTrailer(this.graph.trailer))
  }

  #scanned(): ObjectScan {
    this.#scan ??= scanObjects(this.graph.context, this.#limits)
    return this.#scan
  }

  *#scannedEntries(): Iterable<[number, LiveEntry['entry']]> {
    for (const { number, generation, offset, objectStream } of this.#scanned().objects) {
      yield [number, { kind: 'offset', offset, generation, entryOffset: null }]
      if (objectStream === null) continue
      const contents = readObjectStream(this.graph, objectStream, this.#limits)
      for (const [index, compressed] of (contents?.numbers ?? []).entries()) {
        if (!Number.isInteger(compressed) || compressed < 1 || compressed > MAX_OBJECT_NUMBER)
          continue
        yield [compressed, { kind: 'compressed', objectStream: number, index, entryOffset: null }]
      }
    }
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
