import { setTimeout as delay } from 'node:timers/promises'
import { queueNames, queues } from '../src/job/queues.ts'
import type { Database } from './database.ts'

/** What still goes on. */
interface Unfinished {
  submissions: number
  jobs: number
  events: number
}

/** Jobs that something waits for: not those that recur for ever, nor those that rest until the end of a month. */
export const awaitedJobs = `
  state in ('created', 'retry', 'active') and start_after < now() + interval '2 minutes'
  and name not in (${recurringQueues().join(', ')})`

/**
 * Waits until nothing goes on any more.
 *
 * @returns what still goes on when the patience is over; null: nothing
 */
export async function settle(database: Database, patienceMs: number): Promise<Unfinished | null> {
  const endsAt = Date.now() + patienceMs
  for (;;) {
    const unfinished = await findUnfinished(database)
    if (unfinished.submissions + unfinished.jobs + unfinished.events === 0) return null
    if (Date.now() > endsAt) return unfinished
    await delay(500)
  }
}

async function findUnfinished(database: Database): Promise<Unfinished> {
  const [row] = await database.query<Unfinished>(
    `select
       (select count(*)::int from submission where completed_at is null) as submissions,
       (select count(*)::int from pgboss.job where ${awaitedJobs}) as jobs,
       (select count(*)::int from webhook_event where status = 'pending') as events`,
  )
  if (row === undefined) throw new Error('The database does not count')
  return row
}

function recurringQueues(): string[] {
  return queueNames.filter((name) => 'cron' in queues[name]).map((name) => `'${name}'`)
}
