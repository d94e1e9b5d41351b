import type { Platform } from '../platform.ts'
import { type QueueName, queues } from './queues.ts'

/** Signs of life that fit into the time after which a job is taken away. */
const beatsPerDeadline = 3

/** Tells the queue that the job's worker lives, until it is stopped. */
export function startHeartbeat(
  { queue, log }: Pick<Platform, 'queue' | 'log'>,
  name: QueueName,
  job: { id: string; retryCount: number },
): { stop(): void } {
  const beat = () => {
    queue.boss
      .touch(name, job)
      .catch((error: unknown) => log.warn({ err: error, queue: name }, 'a heartbeat was lost'))
  }
  const timer = setInterval(beat, (queues[name].heartbeatSeconds * 1000) / beatsPerDeadline)
  return { stop: () => clearInterval(timer) }
}
