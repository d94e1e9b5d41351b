import type { DatabaseConnection } from '../database/orm.ts'
import type { Platform } from '../platform.ts'
import { billOverageJob } from './bill-overage.job.ts'
import { normalizeSubmissionJob } from './normalize-submission.job.ts'
import { requestPasswordResetJob } from './request-password-reset.job.ts'
import { sendMailJob } from './send-mail.job.ts'
import { listenForJobs } from './wake-up.ts'
import { type QueueWork, workQueue } from './work-queue.ts'

export interface Work {
  /** Drains: nothing new is taken, what runs has `patienceMs` to end. */
  stop(patienceMs: number): Promise<void>
}

/** Starts to work off every queue in this process. */
export function startWork(platform: Platform, connection: DatabaseConnection): Work {
  const { workerConcurrency } = platform.config
  const queues = new Map<string, QueueWork>([
    [normalizeSubmissionJob.queue, workQueue(platform, normalizeSubmissionJob, workerConcurrency)],
    [requestPasswordResetJob.queue, workQueue(platform, requestPasswordResetJob, 1)],
    [billOverageJob.queue, workQueue(platform, billOverageJob, 1)],
    [sendMailJob.queue, workQueue(platform, sendMailJob, 2)],
  ])
  const listener = listenForJobs(connection, platform.log, (queue) => queues.get(queue)?.wake())

  return {
    async stop(patienceMs) {
      await listener.stop()
      await Promise.all([...queues.values()].map((queue) => queue.stop(patienceMs)))
    },
  }
}
