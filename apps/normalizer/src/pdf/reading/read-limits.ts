import type { PdfStream } from '../object.ts'

/** What one document may cost; the pipeline turns a breach into RESOURCE_LIMIT_EXCEEDED. */
export interface ReadLimits {
  /** Numbered objects, over all cross-reference sections. */
  readonly maxObjects: number
  /** Arrays and dictionaries within each other. */
  readonly maxNestingDepth: number
  /** Cross-reference sections in one chain. */
  readonly maxSections: number
  /** Decoded bytes of one stream; the memory to decode it is twice that. */
  readonly maxStreamBytes: number
  /** Decoded bytes of all streams of the document together, each stream counted once. */
  readonly maxExpandedBytes: number
  /** What the document may expand to beyond that, as a multiple of the file's size. */
  readonly maxExpansion: number
  /** Memory of all objects that are kept, as far as their kind tells it (`lexer.ts`); bytes. */
  readonly maxObjectBytes: number
  /** Bytes that may be looked at while parsing, as a multiple of the file's size: overlapping objects cost time. */
  readonly maxPassesOverFile: number
}

export const defaultReadLimits: ReadLimits = {
  maxObjects: 2_000_000,
  maxNestingDepth: 500,
  maxSections: 10_000,
  maxStreamBytes: 100 * 1024 * 1024,
  maxExpandedBytes: 256 * 1024 * 1024,
  maxExpansion: 4,
  maxObjectBytes: 320 * 1024 * 1024,
  maxPassesOverFile: 32,
}

/**
 * Memory that one object may take, nested ones included; bytes. It is counted by kinds, so that a document ends at the
 * same object on every machine, long before the memory is used up.
 */
export const maxParsedBytes = 64 * 1024 * 1024

/** The document costs more than {@link ReadLimits} allow. */
export class ResourceLimitError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ResourceLimitError'
  }
}

/** Nothing that could be kept was found in the document. */
export class MalformedPdfError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MalformedPdfError'
  }
}

/** Counts what the streams of one document expand to. */
export class ExpansionBudget {
  readonly limits: ReadLimits
  readonly #total: number
  #remaining: number
  readonly #charged = new WeakMap<PdfStream, number>()

  constructor(fileBytes: number, limits: ReadLimits) {
    this.limits = limits
    this.#total = limits.maxExpandedBytes + fileBytes * limits.maxExpansion
    this.#remaining = this.#total
  }

  /** Bytes that this stream may still expand to. */
  allowance(stream: PdfStream): number {
    const charged = this.#charged.get(stream) ?? 0
    return Math.min(this.limits.maxStreamBytes, this.#remaining + charged)
  }

  /** @throws {ResourceLimitError} when the document's budget is used up */
  charge(stream: PdfStream, decodedBytes: number): void {
    const charged = this.#charged.get(stream) ?? 0
    if (decodedBytes <= charged) return

    this.#charged.set(stream, decodedBytes)
    this.#remaining -= decodedBytes - charged
    if (this.#remaining < 0) {
      throw new ResourceLimitError(`The streams expand to more than ${this.#total} bytes`)
    }
  }
}

/** Counts the memory of the objects that are kept. */
export class ObjectBudget {
  readonly #limit: number
  #remaining: number

  constructor(limits: ReadLimits) {
    this.#limit = limits.maxObjectBytes
    this.#remaining = limits.maxObjectBytes
  }

  /** @throws {ResourceLimitError} when the objects would not fit into memory */
  charge(bytes: number): void {
    this.#remaining -= bytes
    if (this.#remaining < 0) {
      throw new ResourceLimitError(`The objects take more than ${this.#limit} bytes of memory`)
    }
  }
}

/** Counts the bytes that parsing has looked at. */
export class ParseBudget {
  #remaining: number

  constructor(fileBytes: number, limits: ReadLimits) {
    this.#remaining = (fileBytes + 64 * 1024) * limits.maxPassesOverFile
  }

  /** @throws {ResourceLimitError} when the document makes its reader go over it again and again */
  charge(bytes: number): void {
    this.#remaining -= bytes
    if (this.#remaining < 0) {
      throw new ResourceLimitError('Objects overlap so that reading them takes too many passes')
    }
  }
}
