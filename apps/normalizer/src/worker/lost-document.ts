import type { Outcome } from '../outcome.ts'
import { lostOutcome } from '../stopped-outcome.ts'
import type { Allowance } from './document-limits.ts'
import type { FlightRecord } from './flight-recorder.ts'

/** What the watch in a worker process says by the signal with which it ends the process. */
export const endings = {
  timeOver: 'SIGALRM',
  /** The same as from the kernel's own guard of memory. */
  memoryOver: 'SIGKILL',
} as const satisfies Record<string, NodeJS.Signals>

/** How a worker process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** What it wrote to its standard error at last. */
  readonly lastWords: string
}

/** The outcome of a document whose worker process ended while it had it. */
export function lostDocument(
  { original, stage }: FlightRecord,
  elapsedMs: number,
  { processorMs }: Allowance,
  end: ProcessEnd,
): Outcome {
  const limit = brokenLimit(end, processorMs)
  if (limit !== null) {
    const failure = { code: 'RESOURCE_LIMIT_EXCEEDED', message: limit } as const
    return lostOutcome(original, elapsedMs, stage, failure)
  }
  const failure = {
    code: 'INTERNAL_ERROR',
    message: 'The document could not be processed.',
  } as const
  const lost = lostOutcome(original, elapsedMs, stage, failure)
  return { ...lost, kind: 'failed', fault: spoken(end) }
}

export function spoken({ code, signal, lastWords }: ProcessEnd): string {
  return `The worker process ended with ${signal ?? `exit code ${code}`}. ${lastWords}`.trim()
}

function brokenLimit({ signal, lastWords }: ProcessEnd, processorMs: number): string | null {
  if (signal === endings.timeOver) return `The document took more than ${processorMs} ms.`
  const isMemory = signal === endings.memoryOver || outOfMemory.test(lastWords)
  return isMemory ? 'The document needs more memory than allowed.' : null
}

/** V8's words before it ends a process: the heap is full, or one object would be larger than any may be. */
const outOfMemory =
  /JavaScript heap out of memory|Fatal JavaScript invalid size error|FATAL ERROR: .*memory/i
