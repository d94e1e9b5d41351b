import type { PdfStream } from '../object.ts'

/** What one document may cost; the pipeline turns a breach into RESOURCE_LIMIT_EXCEEDED. */
export interface ReadLimits {
  /** Numbered objects, over all cross-reference sections. */
  readonly maxObjects: number
  /** Arrays and dictionaries within each other. */
  readonly maxNestingDepth: number
  /** Cross-reference sections in one chain. */
  readonly maxSections: number
  /** Decoded bytes of one stream. */
  readonly maxStreamBytes: number
  /** Decoded bytes of all streams of the document together, each stream counted once. */
  readonly maxExpandedBytes: number
  /** Bytes that may be looked at while parsing, as a multiple of the file's size: overlapping objects cost time. */
  readonly maxPassesOverFile: number
}

export const defaultReadLimits: ReadLimits = {
  maxObjects: 2_000_000,
  maxNestingDepth: 500,
  maxSections: 10_000,
  maxStreamBytes: 256 * 1024 * 1024,
  maxExpandedBytes: 512 * 1024 * 1024,
  maxPassesOverFile: 32,
}

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
  #remaining: number
  readonly #charged = new WeakMap<PdfStream, number>()

  constructor(limits: ReadLimits) {
    this.limits = limits
    this.#remaining = limits.maxExpandedBytes
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
      throw new ResourceLimitError(
        `The streams expand to more than ${this.limits.maxExpandedBytes} bytes`,
      )
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
