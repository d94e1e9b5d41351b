import type { Platform } from '../platform.ts'
import type { JobPayload, QueueName } from './queues.ts'

/** What is done with the jobs of one queue. */
export interface Job<Name extends QueueName = QueueName> {
  queue: Name
  run: (platform: Platform, payload: JobPayload<Name>, attempt: JobAttempt) => Promise<void>
}

export interface JobAttempt {
  /** True if a failure of this run ends the job: no retry follows. */
  isLast: boolean
  /** Aborted when the process stops and will not wait any longer. */
  signal: AbortSignal
}

/** Ties the work to its queue: `job('normalize-submission', async (platform, payload) => …)`. */
export function job<Name extends QueueName>(queue: Name, run: Job<Name>['run']): Job<Name> {
  return { queue, run }
}
