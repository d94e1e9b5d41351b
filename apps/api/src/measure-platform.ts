import type { MikroORM } from '@mikro-orm/postgresql'
import type { NormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import type { Logger } from 'pino'
import type { JobQueue, QueueState } from './job/job-queue.ts'
import { gaugeWhenAsked, type Metrics } from './metrics.ts'
import { within } from './within.ts'

/** Whoever asks more often gets the same answer: the database is not asked. */
const queueStatesMaxAgeMs = 5_000

/** An answer without the queues is better than none. */
const queueStatesTimeoutMs = 2_000

/** Measures how full the queues are. */
export function measureQueues(metrics: Metrics, queue: JobQueue, log: Logger): void {
  let known: { states: Promise<QueueState[]>; at: number } | null = null
  const readStates = async () => {
    const now = performance.now()
    if (known === null || now - known.at > queueStatesMaxAgeMs) {
      const states = within(queueStatesTimeoutMs, queue.states()).catch((error: unknown) => {
        log.warn({ err: error }, 'the queues could not be measured')
        return []
      })
      known = { states, at: now }
    }
    return known.states
  }

  gaugeWhenAsked(
    metrics,
    {
      name: 'pdfnorm_queue_jobs',
      help: 'Jobs in a queue, counted every 10 seconds.',
      labelNames: ['queue', 'state'],
    },
    async () =>
      (await readStates()).flatMap(({ name: queue, ready, deferred, active }) => [
        { labels: { queue, state: 'ready' }, value: ready },
        { labels: { queue, state: 'deferred' }, value: deferred },
        { labels: { queue, state: 'active' }, value: active },
      ]),
  )
  gaugeWhenAsked(
    metrics,
    {
      name: 'pdfnorm_queue_oldest_job_age_seconds',
      help: 'How long the first job that a worker could take has been waiting.',
      labelNames: ['queue'],
    },
    async () =>
      (await readStates()).map(({ name: queue, oldestReadyAgeSeconds: value }) => ({
        labels: { queue },
        value,
      })),
  )
}

/** Measures how many connections to the database are open. */
export async function measureConnections(metrics: Metrics, orm: MikroORM): Promise<void> {
  const pool = await orm.em.getDriver().getConnection().getNativeClient()
  gaugeWhenAsked(
    metrics,
    {
      name: 'pdfnorm_database_connections',
      help: 'Connections of the pool; waiting: how many ask for one and have none.',
      labelNames: ['state'],
    },
    () => [
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'waiting' }, value: pool.waitingCount },
    ],
  )
}

/** Counts the documents that the pool has. */
export function measureNormalizer(
  metrics: Metrics,
  normalizer: NormalizerPool,
  workers: number,
): NormalizerPool {
  let documents = 0
  gaugeWhenAsked(
    metrics,
    {
      name: 'pdfnorm_normalizer_workers',
      help: 'Workers of this process that normalize documents, by what they do.',
      labelNames: ['state'],
    },
    () => [
      { labels: { state: 'busy' }, value: Math.min(documents, workers) },
      { labels: { state: 'idle' }, value: Math.max(workers - documents, 0) },
    ],
  )
  gaugeWhenAsked(
    metrics,
    {
      name: 'pdfnorm_normalizer_documents_waiting',
      help: 'Documents of this process that wait for a worker.',
      labelNames: [],
    },
    () => [{ labels: {}, value: Math.max(documents - workers, 0) }],
  )

  return {
    async normalize(bytes, options) {
      documents += 1
      try {
        return await normalizer.normalize(bytes, options)
      } finally {
        documents -= 1
      }
    },
    stageOf: (sha256) => normalizer.stageOf(sha256),
    close: () => normalizer.close(),
  }
}
