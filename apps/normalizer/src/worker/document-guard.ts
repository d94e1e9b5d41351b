import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { type FlightRecorder, hasBegun } from './flight-recorder.ts'

/** What one document may take. */
export interface Allowance {
  readonly timeMs: number
  /** Of its worker: heap, buffers and WebAssembly memory together; bytes. */
  readonly memoryBytes: number
}

export interface DocumentGuard {
  /** Aborted when the document takes more than it is allowed. */
  readonly signal: AbortSignal
  /** What it took too much of, as a sentence; null while it has not. */
  readonly breach: string | null
  stop(): void
}

/**
 * Watches over one document from the moment its worker has it: the start of a new worker is not the document's time.
 *
 * V8 bounds the heap of a worker and nothing else: buffers and WebAssembly memory are asked for here, at intervals, as
 * a part of the worker's own statistics. Those come also while it is busy, in a loop of JavaScript or WebAssembly.
 */
export function guardDocument(
  recorder: FlightRecorder,
  threads: readonly Worker[],
  { timeMs, memoryBytes }: Allowance,
): DocumentGuard {
  const overrun = new AbortController()
  const ended = new AbortController()
  let breach: string | null = null
  const end = (sentence: string): void => {
    breach ??= sentence
    overrun.abort()
    ended.abort()
  }
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: ended.signal })
  const watchTime = async (): Promise<void> => {
    await pause(timeMs)
    end(`The document took more than ${timeMs} ms.`)
  }
  const watchMemory = async (worker: Worker): Promise<void> => {
    for (;;) {
      await pause(watchIntervalMs)
      if ((await memoryOf(worker)) > memoryBytes)
        end('The document needs more memory than allowed.')
    }
  }
  const watch = async (): Promise<void> => {
    const thread = await hasBegun(recorder, workerStartMs)
    const worker = threads.find(({ threadId }) => threadId === thread)
    await Promise.all([watchTime(), worker && watchMemory(worker)])
  }
  watch().catch(() => {
    // The document ended, well or not.
  })
  return {
    signal: overrun.signal,
    get breach() {
      return breach
    },
    stop: () => ended.abort(),
  }
}

/** A worker that has not begun by then will not. */
const workerStartMs = 30_000

/** Most documents are done before the first look; what one allocates in between is bounded by the reader's limits. */
const watchIntervalMs = 50

async function memoryOf(worker: Worker): Promise<number> {
  const { total_heap_size: heap, external_memory: external } = await worker.getHeapStatistics()
  return heap + external
}
