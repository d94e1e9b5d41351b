import { setTimeout } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { CronExpressionParser } from 'cron-parser'
import { withoutOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { definitionOf, type QueueName, queueNames } from './queues.ts'

type SendingPlatform = Pick<Platform, 'orm' | 'queue' | 'log'>

/** When a queue's jobs become due: `0 3 * * *` is every night at three, UTC. */
type Schedule = readonly [name: QueueName, cron: string]

/** A look at the clock of the database at least so often, and as soon after one that failed. */
const longestPauseMs = 30_000
const pauseAfterFaultMs = 2_000

/**
 * Sends the jobs of the queues with a `cron` when they are due. Every worker process does so, and the row of the queue
 * decides who: the time moves on and the job is sent in one transaction, so each due time has one job over all
 * processes, and none is lost with a process that dies. What came due while no process ran is made up for by one job.
 *
 * pg-boss's own schedules are not used: there the claim, the forwarding job and the job are three transactions, and a
 * crash between them loses a due time or runs it twice.
 */
export function startRecurringJobs(platform: SendingPlatform): { stop(): Promise<void> } {
  const stop = Promise.withResolvers<'stop'>()

  const watch = async () => {
    for (;;) {
      const pauseMs = await sendDueJobs(platform).catch((error: unknown) => {
        platform.log.error({ err: error }, 'the recurring jobs could not be looked at')
        return pauseAfterFaultMs
      })
      const pause = new AbortController()
      const paused = setTimeout(pauseMs, 'paused', { signal: pause.signal }).catch(() => 'stop')
      const next = await Promise.race([stop.promise, paused])
      pause.abort()
      if (next === 'stop') return
    }
  }
  const watching = watch()

  return {
    async stop() {
      stop.resolve('stop')
      await watching
    },
  }
}

const schedules: Schedule[] = queueNames.flatMap((name) => {
  const { cron } = definitionOf(name)
  return cron === undefined ? [] : [[name, cron] as const]
})

/**
 * Sends each job whose time came since its queue was last looked at.
 *
 * @returns how long until the next one is due, in milliseconds
 */
export async function sendDueJobs(
  { orm, queue, log }: SendingPlatform,
  recurring: readonly Schedule[] = schedules,
): Promise<number> {
  if (recurring.length === 0) return longestPauseMs
  const { now, known } = await withoutOrganization(orm, readDueTimes)
  let pauseMs = longestPauseMs

  for (const [name, cron] of recurring) {
    const { last, next } = dueTimes(cron, now)
    pauseMs = Math.min(pauseMs, next.getTime() - now.getTime())
    if ((known.get(name) ?? 0) >= last.getTime()) continue
    const job = await withoutOrganization(orm, async (em) =>
      (await claim(em, name, last)) ? queue.sendRecurring(em, name) : 'another process did',
    )
    // The job of an earlier due time, which nobody has begun with, does for this one, too.
    if (job === null) log.warn({ queue: name }, 'a recurring job still waits when it is due again')
  }
  return pauseMs
}

/** By the clock of the database, which is one for all processes. */
async function readDueTimes(em: EntityManager) {
  const [clock] = await em.execute<{ now: number }[]>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  )
  const rows = await em.execute<{ queue: string; due: number }[]>(
    'select queue, extract(epoch from due_at)::float8 * 1000 as due from recurring_job',
  )
  return {
    now: new Date(Math.floor(clock?.now ?? 0)),
    known: new Map(rows.map(({ queue, due }) => [queue, due])),
  }
}

function dueTimes(cron: string, now: Date): { last: Date; next: Date } {
  // `prev` answers with what lies before its date: the whole minute that it is now counts as well.
  const before = CronExpressionParser.parse(cron, {
    tz: 'UTC',
    currentDate: new Date(now.getTime() + 1),
  })
  const after = CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: now })
  return { last: before.prev().toDate(), next: after.next().toDate() }
}

/**
 * True for the one transaction that moves the queue to its due time. A queue that is seen for the first time begins
 * with its next one: what was due before it existed is nobody's loss.
 */
async function claim(em: EntityManager, name: QueueName, due: Date): Promise<boolean> {
  const first = await em.execute(
    'insert into recurring_job (queue, due_at) values (?, ?) on conflict do nothing returning queue',
    [name, due],
  )
  if (first.length > 0) return false
  const moved = await em.execute(
    'update recurring_job set due_at = ? where queue = ? and due_at < ? returning queue',
    [due, name, due],
  )
  return moved.length > 0
}
