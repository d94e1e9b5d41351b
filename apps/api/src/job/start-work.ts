import { listen } from '../database/listen.ts'
import type { DatabaseConnection } from '../database/orm.ts'
import type { Platform } from '../platform.ts'
import { wakeChannel } from './job-queue.ts'
import { jobOf } from './jobs.ts'
import { definitionOf, type QueueName, queueNames } from './queues.ts'
import { startRecurringJobs } from './recurring-jobs.ts'
import { type QueueWork, workQueue } from './work-queue.ts'

export interface Work {
  /** Drains: nothing new is taken, what runs has `patienceMs` to end. */
  stop(patienceMs: number): Promise<void>
}

/** Starts to work off every queue in this process. */
export function startWork(platform: Platform, connection: DatabaseConnection): Work {
  const queues = new Map<string, QueueWork>(
    queueNames.map((name) => [name, startQueue(platform, name)]),
  )
  const listener = listen(connection, platform.log, wakeChannel, (queue) => {
    queues.get(queue)?.wake()
  })
  const recurring = startRecurringJobs(platform)

  return {
    async stop(patienceMs) {
      await Promise.all([listener.stop(), recurring.stop()])
      await Promise.all([...queues.values()].map((queue) => queue.stop(patienceMs)))
    },
  }
}

function startQueue(platform: Platform, name: QueueName): QueueWork {
  const { concurrencyPerProcess } = definitionOf(name)
  const concurrency =
    concurrencyPerProcess === 'workers' ? platform.config.workerConcurrency : concurrencyPerProcess
  return workQueue(platform, jobOf(name), concurrency)
}
