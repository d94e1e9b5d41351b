import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import type { NormalizeOptions } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { lostOutcome } from '../stopped-outcome.ts'
import {
  createFlightRecorder,
  type FlightRecorder,
  hasBegun,
  readFlightRecorder,
} from './flight-recorder.ts'
import type { NormalizerTask } from './normalizer-worker.ts'

export interface NormalizerPoolOptions {
  /** Documents at the same time; default: one for each processor. */
  readonly threads?: number
  /** Time that a document may take from the moment a worker has it, whatever its size; milliseconds. */
  readonly baseTimeMs?: number
  /** Further time for each started MiB of the document; milliseconds. */
  readonly timePerMebibyteMs?: number
  /** Largest JavaScript heap of one worker; MiB. Buffers are bounded by the reader's own limits. */
  readonly heapMebibytes?: number
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

/** A worker that has not begun by then will not. */
const workerStartMs = 30_000

export function createNormalizerPool({
  threads = availableParallelism(),
  baseTimeMs = 8_000,
  timePerMebibyteMs = 2_000,
  heapMebibytes = 384,
}: NormalizerPoolOptions = {}): NormalizerPool {
  const workers = new Piscina({
    filename: new URL('./normalizer-worker.ts', import.meta.url).href,
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
        const limitMs = baseTimeMs + timePerMebibyteMs * Math.ceil(bytes.byteLength / mebibyte)
        return runWithin(workers, task, limitMs)
      }),
    close: () => workers.close({ force: true }),
  }
}

async function runWithin(
  workers: Piscina<NormalizerTask, Outcome>,
  task: NormalizerTask,
  limitMs: number,
): Promise<Outcome> {
  const startedAt = performance.now()
  const clock = startClock(task.recorder, limitMs)
  try {
    return await workers.run(task, { signal: clock.signal, transferList: [task.bytes.buffer] })
  } catch (error) {
    const { aborted } = clock.signal
    if (!aborted && !isOutOfMemory(error)) throw error
    const message = aborted
      ? `The document took more than ${limitMs} ms.`
      : 'The document needs more memory than allowed.'
    const { original, stage } = readFlightRecorder(task.recorder)
    const elapsedMs = Math.round(performance.now() - startedAt)
    return lostOutcome(original, elapsedMs, stage, { code: 'RESOURCE_LIMIT_EXCEEDED', message })
  } finally {
    clock.stop()
  }
}

/** Runs from the moment the worker has the document: the start of a new worker is not the document's time. */
function startClock(
  recorder: FlightRecorder,
  limitMs: number,
): { readonly signal: AbortSignal; stop(): void } {
  const overrun = new AbortController()
  const stopped = new AbortController()
  const run = async (): Promise<void> => {
    await hasBegun(recorder, workerStartMs)
    await delay(limitMs, undefined, { signal: stopped.signal })
    overrun.abort()
  }
  run().catch(() => {
    // The document ended in time.
  })
  return { signal: overrun.signal, stop: () => stopped.abort() }
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
