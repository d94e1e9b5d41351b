/** What one document may take of its worker process. */
export interface Allowance {
  /**
   * Processor time of its process, from the moment that has all of the document; milliseconds. Not time of the clock: a
   * sound document must not end because the machine is busy.
   */
  readonly processorMs: number
  /** Resident memory of the whole process, program and all; bytes. */
  readonly memoryBytes: number
}

export interface DocumentLimits {
  /** Processor time for a document of any size; milliseconds. */
  readonly baseProcessorMs: number
  /** Further processor time for each MiB beyond {@link smallMebibytes}; milliseconds. */
  readonly processorPerMebibyteMs: number
  /** Memory for a document of any size; MiB. */
  readonly baseMemoryMebibytes: number
  /** Further memory for each MiB beyond {@link smallMebibytes}; MiB. */
  readonly memoryPerMebibyte: number
  /** Up to this size a document has the base and no more; MiB. */
  readonly smallMebibytes: number
}

/**
 * The limits of the process. In front of them stand those of the reader (`pdf/reading/read-limits.ts`: objects,
 * nesting, expansion, bytes looked at), which end a document at the same place on every machine; these here hold for
 * whatever gets past them.
 *
 * - Time: a caller waits 10 s for an answer, and the answer has to be on its way before. Ordinary documents take
 *   milliseconds; real ones of this size that take longest, of many objects, need half a second for each MiB.
 * - Memory: no document of this size may bring its process above 512 MiB, and what is allocated between two looks
 *   comes on top. Real ones stay below 300, with few exceptions. Larger ones that consist of many small objects take
 *   some 20 times their size as objects.
 */
export const documentLimits: DocumentLimits = {
  baseProcessorMs: 8_000,
  processorPerMebibyteMs: 1_000,
  baseMemoryMebibytes: 480,
  memoryPerMebibyte: 24,
  smallMebibytes: 8,
}

/**
 * V8 ends a process whose live objects pass this, before memory runs out where nothing else is watched; MiB. It is the
 * allowance of the largest upload, so that the allowances are what counts.
 */
export const heapMebibytes = 3_584

export function allowanceFor(sizeBytes: number, limits: DocumentLimits): Allowance {
  const beyond = Math.max(0, sizeBytes / mebibyte - limits.smallMebibytes)
  return {
    processorMs: Math.round(limits.baseProcessorMs + limits.processorPerMebibyteMs * beyond),
    memoryBytes: Math.round(
      (limits.baseMemoryMebibytes + limits.memoryPerMebibyte * beyond) * mebibyte,
    ),
  }
}

const mebibyte = 1024 * 1024
