import { workerData } from 'node:worker_threads'
import { endings } from './lost-document.ts'
import { idle, kibibyte, overrunning, type WatchBoard, watchSlots } from './document-watch.ts'

/**
 * The thread in a worker process that ends the process when its document takes too much: not even an endless loop, or a
 * parent that is gone, keeps it from that. While no document is worked on it sleeps.
 */
const board = new Int32Array(workerData as WatchBoard)
const parent = process.ppid

/** What is allocated in between is some tens of megabytes at most: memory has to be written to count. */
const intervalMs = 10

for (;;) {
  Atomics.wait(board, watchSlots.document, idle)
  watch(Atomics.load(board, watchSlots.document))
}

function watch(document: number): void {
  if (document === idle) return
  const endsAtMs = processorMs() + Atomics.load(board, watchSlots.processorMs)
  const memoryBytes = Atomics.load(board, watchSlots.memoryKibibytes) * kibibyte
  while (Atomics.load(board, watchSlots.document) === document) {
    if (process.memoryUsage.rss() > memoryBytes) end(document, endings.memoryOver)
    if (processorMs() > endsAtMs) end(document, endings.timeOver)
    // Nobody waits for the outcome; a process without document sees it by itself.
    if (process.ppid !== parent) end(document, endings.timeOver)
    Atomics.wait(board, watchSlots.document, document, intervalMs)
  }
}

/** Of all threads of the process: collecting garbage is the document's time, too. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The document may have ended while its memory was asked for: then the process lives on. */
function end(document: number, signal: NodeJS.Signals): void {
  const last = Atomics.compareExchange(board, watchSlots.document, document, overrunning)
  if (last === document) process.kill(process.pid, signal)
}
