import { type FetchOptions, fromKysely, type JobWithMetadata } from 'pg-boss'
import { during } from '../activity.ts'
import type { Platform } from '../platform.ts'
import { inSpan, type Span, type SpanDescription } from '../tracing.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Job } from './job.ts'
import { originOf } from '../job-origin.ts'
import { definitionOf, parsePayload, type QueueName } from './queues.ts'
import { Turns } from './turns.ts'

export interface QueueWork {
  /** Something may have become ready: a job was sent, or one ended. */
  wake(): void
  /** Takes nothing new; resolves when what runs has ended or gone back to the queue. */
  stop(patienceMs: number): Promise<void>
}

/** A look at the queue without having been woken: a retry became due, or a wake-up was lost. */
const backStopMs = 1000

/**
 * Works off one queue: fetches until it is empty or every slot is taken, then waits to be woken.
 *
 * pg-boss's own `work()` is not used: it takes one job per wake-up, and its limit per group does
 * not hold when several processes fetch at once.
 *
 * @param concurrency jobs that run at the same time in this process
 */
export function workQueue<Name extends QueueName>(
  platform: Platform,
  job: Job<Name>,
  concurrency: number,
): QueueWork {
  const { log } = platform
  const running = new Set<Promise<void>>()
  const abort = new AbortController()
  const turns = new Turns()
  const bell = new Bell()
  const state = { stopping: false }

  const dispatch = async () => {
    while (!state.stopping) {
      const free = concurrency - running.size
      const fetched = free > 0 ? await fetchOrLog(free) : []
      for (const one of fetched) start(one)
      if (fetched.length === 0) await bell.rung(backStopMs)
    }
  }

  const fetchOrLog = async (atMost: number) => {
    try {
      return await fetchJobs(platform, job.queue, turns, atMost)
    } catch (error) {
      log.error({ err: error, queue: job.queue }, 'no job could be fetched')
      return []
    }
  }

  const start = (fetched: FetchedJob) => {
    const run = runJob(platform, job, fetched, abort.signal).finally(() => {
      running.delete(run)
      bell.ring()
    })
    running.add(run)
  }

  const dispatching = dispatch()
  return {
    wake: () => bell.ring(),
    async stop(patienceMs) {
      state.stopping = true
      bell.ring()
      await dispatching
      const impatience = setTimeout(() => abort.abort(), patienceMs)
      await Promise.all(running)
      clearTimeout(impatience)
    },
  }
}

/** What waits until it is rung. A ring while nobody waits is kept for the next who does. */
class Bell {
  #ring: (() => void) | null = null
  #kept = false

  ring(): void {
    this.#kept = true
    this.#ring?.()
  }

  async rung(timeoutMs: number): Promise<void> {
    if (!this.#kept) {
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, timeoutMs)
        this.#ring = () => {
          clearTimeout(timeout)
          resolve()
        }
      })
    }
    this.#kept = false
    this.#ring = null
  }
}

type FetchedJob = JobWithMetadata

/**
 * Takes the next jobs that may run. Where a queue limits its groups, a lock makes all processes fetch one after the
 * other: only so the limit is exact.
 */
async function fetchJobs(
  { orm, queue }: Pick<Platform, 'orm' | 'queue'>,
  name: QueueName,
  turns: Turns,
  atMost: number,
): Promise<FetchedJob[]> {
  const { concurrencyPerOrganization: tiers, cron } = definitionOf(name)
  // The jobs of a recurring queue are one group of its own: never two run at once.
  const groupConcurrency = tiers ? { default: 1, tiers } : cron === undefined ? null : 1

  const fetch = async (inside: Pick<FetchOptions, 'db' | 'groupConcurrency'>) => {
    for (const ignoreGroups of turns.waiting()) {
      const jobs = await queue.boss.fetch<object>(name, {
        ...inside,
        batchSize: atMost,
        includeMetadata: true,
        ...(ignoreGroups.length > 0 && { ignoreGroups }),
      })
      for (const job of jobs) turns.taken(job.groupId ?? null)
      if (jobs.length > 0) return jobs
    }
    return []
  }
  if (groupConcurrency === null) return fetch({})

  return orm.em.fork().transactional(async (em) => {
    await em.execute('select pg_advisory_xact_lock(hashtext(?))', [`queue ${name}`])
    return fetch({ db: fromKysely(em.getKysely()), groupConcurrency })
  })
}

/** Goes on with the request and the trace that sent the job. */
function runJob<Name extends QueueName>(
  platform: Platform,
  job: Job<Name>,
  fetched: FetchedJob,
  signal: AbortSignal,
): Promise<void> {
  const { requestId, traceparent } = originOf(fetched.data)
  const facts = { queue: job.queue, jobId: fetched.id, attempt: fetched.retryCount + 1 }
  const span: SpanDescription = {
    name: `process ${job.queue}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'pg-boss',
      'messaging.operation.type': 'process',
      'messaging.destination.name': job.queue,
      'messaging.message.id': fetched.id,
      'pdfnorm.attempt': facts.attempt,
      'pdfnorm.request_id': requestId,
    },
    traceparent,
  }
  return during({ ...(requestId !== undefined && { requestId }), facts }, () =>
    inSpan(span, (current) => runToEnd(platform, job, { fetched, signal, span: current })),
  )
}

async function runToEnd<Name extends QueueName>(
  platform: Platform,
  job: Job<Name>,
  { fetched, signal, span }: { fetched: FetchedJob; signal: AbortSignal; span: Span },
): Promise<void> {
  const { queue, log, metrics } = platform
  const heartbeat = startHeartbeat(platform, job.queue, fetched)
  const startedAt = performance.now()
  let result: 'completed' | 'failed' = 'completed'
  try {
    const payload = parsePayload(job.queue, fetched.data)
    const isLast = fetched.retryCount >= fetched.retryLimit
    await job.run(platform, payload, { isLast, signal })
    await queue.boss.complete(job.queue, fetched)
  } catch (error) {
    result = 'failed'
    log.error({ err: error }, 'a job failed')
    const message = error instanceof Error ? error.message : String(error)
    span.fail(message)
    await queue.boss
      .fail(job.queue, fetched, { message })
      // The queue finds the silent job by its heartbeat.
      .catch((failure: unknown) => log.error({ err: failure }, 'the failure was not recorded'))
  } finally {
    heartbeat.stop()
    const durationMs = performance.now() - startedAt
    metrics.jobDuration.observe({ queue: job.queue, result }, durationMs / 1000)
    log.debug({ result, durationMs: Math.round(durationMs) }, 'a job ended')
  }
}
