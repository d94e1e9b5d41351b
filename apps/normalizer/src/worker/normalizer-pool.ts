import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import type { NormalizeOptions } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { lostOutcome } from '../stopped-outcome.ts'
import { type Allowance, guardDocument } from './document-guard.ts'
import { createFlightRecorder, readFlightRecorder } from './flight-recorder.ts'
import type { NormalizerTask } from './normalizer-worker.ts'

export interface NormalizerPoolOptions {
  /** Documents at the same time; default: one for each processor. */
  readonly threads?: number
  /** Time that a document may take from the moment a worker has it, whatever its size; milliseconds. */
  readonly baseTimeMs?: number
  /** Further time for each full MiB of the document; milliseconds. */
  readonly timePerMebibyteMs?: number
  /**
   * Memory that a worker may hold, heap, buffers and WebAssembly together, whatever the document's size; MiB. What an
   * earlier document left to be collected counts too, so a default near what documents need would end sound ones:
   * bombs meet the reader's own budgets long before.
   */
  readonly baseMemoryMebibytes?: number
  /** What is added to that for each full MiB of a document beyond {@link smallMebibytes}; MiB. */
  readonly memoryPerMebibyte?: number
  /** The module that a worker runs; default: the one that normalizes. */
  readonly workerModule?: URL
}

export interface NormalizerPool {
  /**
   * Normalizes one document in a worker thread of its own for that time.
   *
   * The buffer behind `bytes` is handed over: the caller can no longer read it. Never rejects for anything in the
   * bytes; a document that breaks its limits is `failed` with RESOURCE_LIMIT_EXCEEDED, and its worker is replaced.
   */
  normalize(bytes: Uint8Array<ArrayBuffer>, options: NormalizeOptions): Promise<Outcome>
  close(): Promise<void>
}

const mebibyte = 1024 * 1024

/** Bombs are small, and large documents of many small objects take some 20 times their size as objects. */
const smallMebibytes = 6

/**
 * Backstop behind the watch over a worker's memory, for a heap that grows faster than it looks. Generous, because V8
 * ends the whole process when an allocation within it finds no room at all.
 */
const heapMebibytes = 1_024

export function createNormalizerPool({
  threads = availableParallelism(),
  baseTimeMs = 8_000,
  timePerMebibyteMs = 1_000,
  baseMemoryMebibytes = 1_024,
  memoryPerMebibyte = 24,
  workerModule = new URL('./normalizer-worker.ts', import.meta.url),
}: NormalizerPoolOptions = {}): NormalizerPool {
  const workers = new Piscina({
    filename: workerModule.href,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxOldGenerationSizeMb: heapMebibytes },
  })
  // A worker that dies has its document's promise rejected; the pool's own event adds nothing to that.
  workers.on('error', () => {})
  // One document a thread: the clock of a document must not run while it waits for its turn.
  const turn = pLimit(threads)

  return {
    normalize: (bytes, options) =>
      turn(async () => {
        const task = { bytes: ownBuffer(bytes), options, recorder: createFlightRecorder() }
        const size = Math.floor(bytes.byteLength / mebibyte)
        return runWithin(workers, task, {
          timeMs: baseTimeMs + timePerMebibyteMs * size,
          memoryBytes:
            (baseMemoryMebibytes + memoryPerMebibyte * Math.max(0, size - smallMebibytes)) *
            mebibyte,
        })
      }),
    close: () => workers.close({ force: true }),
  }
}

async function runWithin(
  workers: Piscina<NormalizerTask, Outcome>,
  task: NormalizerTask,
  allowance: Allowance,
): Promise<Outcome> {
  const startedAt = performance.now()
  const guard = guardDocument(task.recorder, workers.threads, allowance)
  try {
    const transferList = [task.bytes.buffer]
    return await workers.run(task, { signal: guard.signal, transferList })
  } catch (error) {
    const { begun, original, stage } = readFlightRecorder(task.recorder)
    const elapsedMs = Math.round(performance.now() - startedAt)
    const message =
      guard.breach ?? (isOutOfMemory(error) ? 'The document needs more memory than allowed.' : null)
    if (message !== null) {
      return lostOutcome(original, elapsedMs, stage, { code: 'RESOURCE_LIMIT_EXCEEDED', message })
    }
    // What no worker has begun is no fault of the document: the pool is closed, or its workers cannot start.
    if (!begun) throw error
    return {
      ...lostOutcome(original, elapsedMs, stage, {
        code: 'INTERNAL_ERROR',
        message: 'The document could not be processed.',
      }),
      kind: 'failed',
      fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  } finally {
    guard.stop()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** Only a whole buffer can be handed over; a view into a larger one is copied first. */
function ownBuffer(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
  // Not `slice`: that of a Buffer is a view and no copy.
  return whole ? bytes : new Uint8Array(bytes)
}
