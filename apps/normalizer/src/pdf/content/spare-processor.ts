import { availableParallelism, cpus } from 'node:os'

interface Sample {
  readonly at: number
  /** Milliseconds over all processors. */
  readonly idle: number
}

/** A shorter time tells nothing: the system counts in steps of 10 ms. */
const shortestSpanMs = 50
const idleEnough = 0.6

let last: Sample | null = null
let spare = availableParallelism() > 1

/**
 * Whether a processor had nothing to do since this was last asked, and so a second thread would not take it from
 * others: of this process or of another. A guess, on which no result may depend.
 */
export function hasSpareProcessor(): boolean {
  if (availableParallelism() < 2) return false
  const at = performance.now()
  if (last !== null && at - last.at < shortestSpanMs) return spare
  const now = { at, idle: cpus().reduce((sum, { times }) => sum + times.idle, 0) }
  if (last !== null) spare = (now.idle - last.idle) / (now.at - last.at) >= idleEnough
  last = now
  return spare
}
