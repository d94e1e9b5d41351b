import { Worker } from 'node:worker_threads'
import type { Allowance } from './document-limits.ts'

/** Memory that the threads of a worker process share; its slots are {@link watchSlots}. */
export type WatchBoard = SharedArrayBuffer

/** `document` holds the ordinal of the document that is worked on, or {@link idle}, or {@link overrunning}. */
export const watchSlots = { document: 0, processorMs: 1, memoryKibibytes: 2 } as const
export const idle = 0
export const overrunning = -1
export const kibibyte = 1024

export interface DocumentWatch {
  /** From here until {@link end} the process is ended when it takes more than that. */
  begin(allowance: Allowance): void
  end(): void
}

/** Starts the thread that watches over the documents of this process. */
export function startDocumentWatch(): DocumentWatch {
  const memory: WatchBoard = new SharedArrayBuffer(
    Object.keys(watchSlots).length * Int32Array.BYTES_PER_ELEMENT,
  )
  const board = new Int32Array(memory)
  new Worker(new URL('./watch-thread.ts', import.meta.url), {
    workerData: memory,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  }).unref()
  let documents = 0

  return {
    begin({ processorMs, memoryBytes }) {
      Atomics.store(board, watchSlots.processorMs, processorMs)
      Atomics.store(board, watchSlots.memoryKibibytes, memoryBytes / kibibyte)
      Atomics.store(board, watchSlots.document, ++documents)
      Atomics.notify(board, watchSlots.document)
    },
    end() {
      const was = Atomics.exchange(board, watchSlots.document, idle)
      // The signal is on its way: the document did not make it.
      if (was === overrunning) Atomics.wait(board, watchSlots.document, idle)
      Atomics.notify(board, watchSlots.document)
    },
  }
}
