import { setTimeout as delay } from 'node:timers/promises'
import { plans } from '@pdfnorm/contracts/schema/plan'
import type { Database } from './database.ts'
import type { Customer } from './customer.ts'

/**
 * Lets the database itself write down each start and each end of a submission as it commits.
 *
 * A start is counted at the end of its transaction, which holds the organization's starts: what other transactions have
 * ended in between only makes the count smaller than what is noted, so none above the limit goes unnoticed.
 */
export async function installWatch(database: Database): Promise<void> {
  await database.query(`
    create schema torture;
    create table torture.start (organization_id uuid, submission_id uuid, running integer);
    create table torture.finish (submission_id uuid, status text);
    create table torture.changed_end (submission_id uuid, was text, became text);

    create function torture.note() returns trigger
      language plpgsql security definer set search_path = public as $$
    begin
      if tg_op = 'UPDATE' and old.completed_at is not null then
        if old.status <> new.status then
          insert into torture.changed_end values (new.id, old.status, new.status);
        end if;
        return null;
      end if;
      if new.status = 'IN_PROGRESS' and (tg_op = 'INSERT' or old.status <> 'IN_PROGRESS') then
        insert into torture.start
          select new.organization_id, new.id, count(*) from submission
          where organization_id = new.organization_id and status = 'IN_PROGRESS';
      elsif new.completed_at is not null then
        insert into torture.finish values (new.id, new.status);
      end if;
      return null;
    end $$;

    create constraint trigger torture_note after insert or update of status on submission
      deferrable initially deferred for each row execute function torture.note();
  `)
}

/** Counts what runs, from outside and all the time, until it is stopped. */
export class Sampling {
  readonly highest = new Map<string, number>()
  samples = 0
  readonly #sampling: Promise<void>
  #isOver = false

  constructor(database: Database) {
    this.#sampling = this.#sample(database)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#sampling
  }

  async #sample(database: Database): Promise<void> {
    while (!this.#isOver) {
      const rows = await database
        .query<{ id: string; running: number }>(
          `select organization_id as id, count(*)::int as running from submission
           where status = 'IN_PROGRESS' group by organization_id`,
        )
        .catch(() => null)
      if (rows !== null) this.samples += 1
      for (const { id, running } of rows ?? []) {
        this.highest.set(id, Math.max(running, this.highest.get(id) ?? 0))
      }
      await delay(100)
    }
  }
}

/** Losses of order: too many at once, an end that was changed, or more than one end. */
export async function watchLosses(
  database: Database,
  customers: readonly Customer[],
  { highest }: Sampling,
): Promise<{ losses: string[]; highest: Map<string, number>; starts: number }> {
  const starts = await database.query<{ id: string; highest: number; count: number }>(
    `select organization_id as id, max(running) as highest, count(*)::int as count
     from torture.start group by organization_id`,
  )
  const merged = new Map(highest)
  for (const { id, highest } of starts) merged.set(id, Math.max(highest, merged.get(id) ?? 0))

  const tooMany = customers.flatMap(({ id, name, planTier }) => {
    const [most, allowed] = [merged.get(id) ?? 0, plans[planTier].concurrentJobs]
    return most > allowed ? [`${name} had ${most} running at once; its plan allows ${allowed}`] : []
  })
  const changed = await database.query<{ submission_id: string; was: string; became: string }>(
    'select * from torture.changed_end',
  )
  const twice = await database.query<{ submission_id: string; times: number }>(
    `select submission_id, count(*)::int as times from torture.finish
     group by submission_id having count(*) > 1`,
  )
  return {
    losses: [
      ...tooMany,
      ...changed.map((row) => `${row.submission_id} was ${row.was} and became ${row.became}`),
      ...twice.map((row) => `${row.submission_id} ended ${row.times} times`),
    ],
    highest: merged,
    starts: starts.reduce((sum, { count }) => sum + count, 0),
  }
}
