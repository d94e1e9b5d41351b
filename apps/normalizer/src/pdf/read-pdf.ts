import { isDigit, isRegular, isWhiteSpace, skipEndOfLine, standsAt } from './character-set.ts'
import {
  type CrossReferenceChain,
  readCrossReferenceChain,
  type SectionInProgress,
} from './cross-reference.ts'
import { MAX_OBJECT_NUMBER, readIndirectObject, type StreamExtent } from './indirect-object.ts'
import { LazyObjectGraph, type LiveEntry } from './lazy-object-graph.ts'
import { lexicalFacts } from './lexical-facts.ts'
import { readLinearization } from './linearization-dictionary.ts'
import { isName, PdfDictionary, PdfName, PdfReference, type PdfObject } from './object.ts'
import { readObjectStream } from './object-stream.ts'
import { type ObjectScan, scanObjects } from './object-scan.ts'
import type {
  CrossReferenceEntry,
  FileHeader,
  ObjectProvenance,
  PdfFile,
  Revision,
  StructuralRepairs,
} from './pdf-file.ts'
import { defaultReadLimits, MalformedPdfError, type ReadLimits } from './read-limits.ts'
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
    const merged = mergeSections(chain.sections)
    const mismatchedEntries = this.#locate(merged, chain)

    const usable = chain.sections.length > 0
    if (!usable || chain.broken) this.#addScanned(merged, () => true)
    else if (mismatchedEntries.length > 0) {
      const numbers = new Set(mismatchedEntries.map(({ number }) => number))
      this.#addScanned(merged, (number) => numbers.has(number))
    }
    this.#live = liveOnly(merged)
    this.graph.load(this.#live, this.#trailer(chain))
    this.encrypted = this.graph.resolve(this.graph.trailer.get('Encrypt')) !== null

    let rebuilt = !usable || chain.broken || mismatchedEntries.length > 0
    let rootRebuilt = false
    if (!this.encrypted && !this.#hasCatalog()) {
      if (!rebuilt || usable) {
        this.#loadScanned()
        rebuilt = true
      }
      if (!this.#hasCatalog()) {
        this.#rebuildRoot()
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

  /** Corrects offsets that are counted from the header, and takes out the entries whose object is not there. */
  #locate(merged: Map<number, MergedEntry>, chain: CrossReferenceChain): MismatchedEntry[] {
    const mismatched: MismatchedEntry[] = []
    const headerOffset = this.header.offset ?? 0
    const candidates =
      headerOffset === 0 ? [0] : chain.base === 0 ? [0, headerOffset] : [headerOffset, 0]
    for (const [number, { entry, section }] of merged) {
      if (entry.kind !== 'offset') continue
      const shift = candidates.find((base) => standsObject(this.bytes, entry.offset + base, number))
      if (shift === 0) continue
      if (shift === undefined) {
        if (section !== null) mismatched.push({ number, entry, section })
        merged.delete(number)
        continue
      }
      const corrected = { ...entry, offset: entry.offset + shift }
      section?.entries.set(number, corrected)
      merged.set(number, { entry: corrected, section })
    }
    return mismatched
  }

  /** Adds what scanning finds under numbers that have no entry yet. The last definition in the file counts. */
  #addScanned(merged: Map<number, MergedEntry>, wanted: (number: number) => boolean): void {
    const found = new Map<number, MergedEntry>()
    for (const [number, entry] of this.#scannedEntries()) {
      if (wanted(number) && !merged.has(number)) found.set(number, { entry, section: null })
    }
    for (const [number, entry] of found) merged.set(number, entry)
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

  #hasCatalog(): boolean {
    const { graph } = this
    const root = graph.resolve(graph.trailer.get('Root'))
    return (
      root instanceof PdfDictionary && graph.resolve(root.get('Pages')) instanceof PdfDictionary
    )
  }

  /** Looks for a catalog, else for the root of a page tree, among all objects. */
  #rebuildRoot(): void {
    const { graph } = this
    let catalog: number | null = null
    let pages: number | null = null
    for (const number of graph.numbers()) {
      const object = graph.get(number)
      if (!(object instanceof PdfDictionary)) continue
      if (isCatalog(graph, object)) catalog = number
      else if (isRootOfPages(graph, object)) pages = number
    }

    if (catalog === null && pages === null) {
      throw new MalformedPdfError('Neither a catalog nor a page tree was found')
    }
    const root: PdfObject =
      catalog === null
        ? graph.add(newCatalog(new PdfReference(pages ?? 0, 0)))
        : new PdfReference(catalog, graph.generation(catalog))
    graph.trailer.set('Root', root)
  }
}

type MismatchedEntry = StructuralRepairs['mismatchedEntries'][number]

interface MergedEntry {
  readonly entry: CrossReferenceEntry
  readonly section: SectionInProgress | null
}

/** `%PDF-` within the first 1,024 bytes. */
function readHeader(bytes: Uint8Array): FileHeader {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024 + 8))
  const offset = head.indexOf('%PDF-', 0, 'latin1')
  if (offset < 0 || offset + 5 > 1024) return { offset: null, version: null }
  const version = /^\d\.\d(?!\d)/.exec(head.toString('latin1', offset + 5, offset + 9))
  return { offset, version: version === null ? null : version[0] }
}

/** Newer sections hide older ones; a hybrid file's stream fills what its table calls free (7.5.8.4). */
function mergeSections(sections: readonly SectionInProgress[]): Map<number, MergedEntry> {
  const merged = new Map<number, MergedEntry>()
  for (const section of sections) {
    for (const [number, entry] of section.entries) {
      const newer = merged.get(number)
      const hidden =
        newer !== undefined &&
        newer.entry.kind === 'free' &&
        newer.section !== null &&
        newer.section === section.hybridOf
      if (newer === undefined || hidden) merged.set(number, { entry, section })
    }
  }
  return merged
}

function liveOnly(merged: ReadonlyMap<number, MergedEntry>): Map<number, LiveEntry> {
  const live = new Map<number, LiveEntry>()
  for (const [number, { entry, section }] of merged) {
    if (entry.kind !== 'free') live.set(number, { entry, section })
  }
  return live
}

/** Whether `N G obj` with this number stands here, without making anything of it: asked for every entry. */
function standsObject(bytes: Uint8Array, offset: number, number: number): boolean {
  let at = offset
  while (isWhiteSpace(bytes[at])) at++
  const start = at
  let value = 0
  for (; isDigit(bytes[at]) && at - start < 11; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
  if (at === start || value !== number || !isWhiteSpace(bytes[at])) return false
  // An offset into the middle of a number would find another one.
  if (start === offset && isRegular(bytes[offset - 1]) && isDigit(bytes[offset - 1])) return false
  while (isWhiteSpace(bytes[at])) at++
  if (!isDigit(bytes[at])) return false
  while (isDigit(bytes[at])) at++
  while (isWhiteSpace(bytes[at])) at++
  return standsAt(bytes, at, 'obj')
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

function isCatalog(graph: LazyObjectGraph, dictionary: PdfDictionary): boolean {
  return (
    isName(graph.resolve(dictionary.get('Type')), 'Catalog') &&
    graph.resolve(dictionary.get('Pages')) instanceof PdfDictionary
  )
}

function isRootOfPages(graph: LazyObjectGraph, dictionary: PdfDictionary): boolean {
  return (
    isName(graph.resolve(dictionary.get('Type')), 'Pages') &&
    Array.isArray(graph.resolve(dictionary.get('Kids'))) &&
    !(graph.resolve(dictionary.get('Parent')) instanceof PdfDictionary)
  )
}

function newCatalog(pages: PdfReference): PdfDictionary {
  const catalog = new PdfDictionary()
  catalog.set('Type', new PdfName('Catalog'))
  catalog.set('Pages', pages)
  return catalog
}
