import type { PdfDictionary } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'

/**
 * A file as it was read: its bytes, what was read from them, and where each thing came from. Facts here are of the
 * original bytes and never change; only the graph is edited. Offsets are absolute in `bytes`.
 */
export interface PdfFile {
  readonly bytes: Uint8Array
  readonly header: FileHeader
  /** Every cross-reference section that the chain from the last `startxref` reaches, newest first; empty if rebuilt. */
  readonly sections: readonly CrossReferenceSection[]
  /** Oldest first; a linearized file without updates has one. At least one unless nothing could be read. */
  readonly revisions: readonly Revision[]
  /** Offset just past the last `%%EOF` of the final revision, with at most one end-of-line; null if there is none. */
  readonly endOfFile: number | null
  readonly linearization: { readonly dictionary: PdfDictionary; readonly intact: boolean } | null
  readonly repairs: StructuralRepairs
  readonly encrypted: boolean
  readonly graph: ObjectGraph
  /** Whether any live object stands in an object stream (ISO 32000-2, 7.5.7). */
  readonly usesObjectStreams: boolean
  /** Whether the data of a stream stands at this offset, be it of a live object or of a superseded one. */
  isInStream(offset: number): boolean
  /** Where the live object with this number was defined; null for numbers that the file does not define. */
  provenance(number: number): ObjectProvenance | null
  /** Of the live object with this number; null for one in an object stream, and for numbers that the file does not define. */
  lexicalFacts(number: number): LexicalFacts | null
  /** Of the live object with this number and of what it holds directly, as bits of `Oddity` (`reading/oddity.ts`). */
  odditiesOf(number: number): number
}

export interface FileHeader {
  /** Offset of `%PDF-` in the first 1,024 bytes; null if there is none. */
  readonly offset: number | null
  /** As written after `%PDF-`, such as `1.7`; null if it is not of that form. */
  readonly version: string | null
}

/** One table (7.5.4) or cross-reference stream (7.5.8). */
export interface CrossReferenceSection {
  readonly kind: 'table' | 'stream'
  /** Where `xref` or the stream's object begins. */
  readonly offset: number
  readonly end: number
  /** Index into `revisions`. */
  readonly revision: number
  readonly trailer: PdfDictionary
  /** Of the trailer, or of the stream's dictionary, as bits of `Oddity` (`reading/oddity.ts`). */
  readonly oddities: number
  /** The two numbers at the head of each subsection stand one space apart; true for streams. */
  readonly spacedSubsections: boolean
  /** A stream reached through `/XRefStm` of a table (7.5.8.4). */
  readonly hybrid: boolean
  readonly entries: CrossReferenceEntries
}

/** The entries of a section by object number, in the order in which they stand there. */
export interface CrossReferenceEntries extends Iterable<[number, CrossReferenceEntry]> {
  readonly size: number
  has(number: number): boolean
  get(number: number): CrossReferenceEntry | undefined
  keys(): Iterable<number>
  values(): Iterable<CrossReferenceEntry>
}

export type CrossReferenceEntry =
  | { readonly kind: 'free'; readonly generation: number; readonly entryOffset: number | null }
  | {
      readonly kind: 'offset'
      readonly offset: number
      readonly generation: number
      /** Where the entry itself stands in a table; null in a stream. */
      readonly entryOffset: number | null
    }
  | {
      readonly kind: 'compressed'
      readonly objectStream: number
      readonly index: number
      readonly entryOffset: null
    }

/** What one save appended (7.5.6): bytes from `start` up to `end`, `end` just past its `%%EOF` and one end-of-line. */
export interface Revision {
  readonly index: number
  readonly start: number
  readonly end: number
  /** What its `startxref` says; null if it was found by scanning only. */
  readonly crossReferenceOffset: number | null
  readonly trailer: PdfDictionary
}

export type ObjectProvenance =
  | {
      readonly kind: 'offset'
      /** From the first digit of `N G obj` to just past `endobj`. */
      readonly start: number
      readonly end: number
      readonly generation: number
      /** The section whose entry was believed; null if found by scanning. */
      readonly section: CrossReferenceSection | null
    }
  | {
      readonly kind: 'compressed'
      readonly objectStream: number
      readonly index: number
      readonly section: CrossReferenceSection | null
    }

/** What PDF/A asks of the bytes of an object (ISO 19005-1, 6.1.7 and 6.1.8; ISO 19005-2, 6.1.7 and 6.1.9). */
export interface LexicalFacts {
  /** `N G obj` begins a line, with one white-space character between the three, and an end-of-line follows. */
  readonly objectSpacing: boolean
  /** End-of-lines stand before `endobj` and behind it; without it, before what stands in its place. */
  readonly endobjSpacing: boolean
  /** Null when the object is not a stream, or its end is not to be found. */
  readonly stream: StreamSpelling | null
}

export interface StreamSpelling {
  /** `stream` is followed by CRLF or LF. */
  readonly keywordEol: boolean
  /** An end-of-line stands before `endstream`. */
  readonly endstreamEol: boolean
  /**
   * Bytes from behind the end-of-line that follows `stream` up to the one before `endstream`; -1 when both are the
   * same one.
   */
  readonly length: number
}

/** What did not hold and was mended while reading. Each is told in the findings. */
export interface StructuralRepairs {
  /** The chain of sections was unusable, or an entry pointed to the wrong place: objects were found by scanning. */
  readonly crossReferenceRebuilt: boolean
  /** Entries whose offset does not hold the object that they name. */
  readonly mismatchedEntries: readonly {
    readonly number: number
    readonly entry: CrossReferenceEntry
    /** The section that has the entry. */
    readonly section: CrossReferenceSection
  }[]
  readonly missingTrailer: boolean
  readonly missingEndOfFile: boolean
  readonly rootRebuilt: boolean
  /** Sections that were reached twice or whose `/Prev` leads nowhere. */
  readonly brokenChain: boolean
}
