import type { EntityManager } from '@mikro-orm/postgresql'
import type { PlanTier } from '@pdfnorm/contracts/schema/plan'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { DatabaseTenant } from '../database/migrate-database.ts'
import { type DatabaseConnection, poolConfig } from '../database/orm.ts'
import { type JobOrigin, originOfNow, withOrigin } from '../job-origin.ts'
import { definitionOf, type JobPayload, type QueueName, queueNames } from './queues.ts'

/** The schema in which pg-boss keeps its tables. */
const queueSchema = 'pgboss'

/** PostgreSQL channel on which a committed send wakes the workers; its payload is the queue. */
export const wakeChannel = 'pdfnorm_job'

/** Makes the tables and the queues; runs as the owner, under the lock of the migration. */
export const queueTenant: DatabaseTenant = {
  schema: queueSchema,
  async install(connection: DatabaseConnection): Promise<void> {
    const boss = openBoss(connection, { migrate: true, supervise: false, maxConnections: 1 })
    let fault: Error | undefined
    boss.on('error', (error) => (fault = error))
    await boss.start()
    for (const name of queueNames) {
      const options = queueOptions(name)
      // A recurring job waits once only.
      const policy = definitionOf(name).cron === undefined ? 'standard' : 'short'
      await boss.createQueue(name, { ...options, policy })
      await boss.updateQueue(name, options)
    }
    await boss.stop({ graceful: false })
    if (fault) throw fault
  },
  async isInstalled(client) {
    const { rows } = await client.query<{ name: string }>(`select name from ${queueSchema}.queue`)
    const names = new Set(rows.map(({ name }) => name))
    return queueNames.every((name) => names.has(name))
  },
}

/** How full a queue is. */
export interface QueueState {
  name: string
  /** Jobs that a worker could take now. */
  ready: number
  /** Jobs that rest until a later time. */
  deferred: number
  active: number
  /** How long the first of those that could be taken has been waiting; 0 if there is none. */
  oldestReadyAgeSeconds: number
}

/** Jobs are sent through this; they are worked off by work-queue.ts. */
export interface JobQueue {
  /**
   * Sends a job in the transaction of `em`: it exists when, and only when, that commits.
   *
   * @param organization whose limit of concurrent jobs counts it; null: it belongs to none
   * @param more.startAfterSeconds how long it rests before a worker may take it
   * @param more.origin what it goes on with; default: what is being done right now
   * @returns the job's id, for `withdraw`
   */
  send<Name extends QueueName>(
    em: EntityManager,
    name: Name,
    payload: JobPayload<Name>,
    organization: { schemaName: string; planTier: PlanTier } | null,
    more?: { startAfterSeconds?: number; origin?: JobOrigin },
  ): Promise<string>
  /**
   * Sends the job of a queue with a `cron` in the transaction of `em`.
   *
   * @returns null when one waits already: it does for this one, too
   */
  sendRecurring(em: EntityManager, name: QueueName): Promise<string | null>
  /** Takes a job back in the transaction of `em`; one that a worker has by now just ends. */
  withdraw(em: EntityManager, name: QueueName, jobId: string): Promise<void>
  /**
   * Deletes every job about an organization in the transaction of `em`, whatever its state, but what runs of one queue.
   * A worker that has one of them ends it as any other, and nothing comes of that.
   */
  deleteJobsOf(em: EntityManager, organizationId: string, except: QueueName): Promise<void>
  /** Throws if the queue's tables do not answer. */
  ping(): Promise<void>
  /** How full each queue is. The numbers are those of the last count, which is made every 10 seconds. */
  states(): Promise<QueueState[]>
  readonly boss: PgBoss
  close(): Promise<void>
}

/**
 * Connects to the queue.
 *
 * @param supervise whether this process also retries the jobs of dead workers and clears old ones
 */
export async function openJobQueue(
  connection: DatabaseConnection,
  log: Logger,
  { maxConnections, supervise }: { maxConnections: number; supervise: boolean },
): Promise<JobQueue> {
  const boss = openBoss(connection, { migrate: false, supervise, maxConnections })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()

  return {
    boss,
    async send(em, name, payload, organization, more = {}) {
      const { startAfterSeconds = 0, origin = originOfNow() } = more
      const id = await boss.send(name, withOrigin(payload, origin), {
        db: fromKysely(em.getKysely()),
        ...(organization && {
          group: { id: organization.schemaName, tier: organization.planTier },
        }),
        startAfter: startAfterSeconds,
      })
      if (id === null) throw new Error(`The queue ${name} did not take the job`)
      // Nobody can take a job that rests: the workers' own look finds it when it is due.
      if (startAfterSeconds === 0) await em.execute('select pg_notify(?, ?)', [wakeChannel, name])
      return id
    },
    async sendRecurring(em, name) {
      const id = await boss.send(name, {}, { db: fromKysely(em.getKysely()), group: { id: name } })
      if (id !== null) await em.execute('select pg_notify(?, ?)', [wakeChannel, name])
      return id
    },
    async withdraw(em, name, jobId) {
      await boss.deleteJob(name, jobId, { db: fromKysely(em.getKysely()) })
    },
    async deleteJobsOf(em, organizationId, except) {
      await em.execute(
        `delete from ${queueSchema}.job
         where data ->> 'organizationId' = ? and not (name = ? and state = 'active')`,
        [organizationId, except],
      )
    },
    async ping() {
      await boss.getQueues([...queueNames])
    },
    async states() {
      const { rows } = await boss.getDb().executeSql(selectStates, [[...queueNames]])
      return rows
    },
    close: () => boss.stop({ graceful: false }),
  }
}

/** The counts are columns that pg-boss keeps; the first job is the first entry of the index that it fetches by. */
const selectStates = `
  select queue.name, ready_count as ready, deferred_count as deferred, active_count as active,
    coalesce(
      extract(epoch from now() - greatest(first.created_on, first.start_after))::float8, 0
    ) as "oldestReadyAgeSeconds"
  from ${queueSchema}.queue
  left join lateral (
    select created_on, start_after from ${queueSchema}.job
    where job.name = queue.name and state < 'active' and not blocked and start_after <= now()
    order by priority desc, created_on
    limit 1
  ) first on true
  where queue.name = any($1)
  order by 1`

function openBoss(
  connection: DatabaseConnection,
  options: { migrate: boolean; supervise: boolean; maxConnections: number },
): PgBoss {
  const { connectionString, options: startOptions } = poolConfig(connection)
  return new PgBoss({
    ...(connectionString !== undefined && { connectionString }),
    ...(startOptions !== undefined && { options: startOptions }),
    application_name: 'pdfnorm-jobs',
    schema: queueSchema,
    max: options.maxConnections,
    migrate: options.migrate,
    createSchema: options.migrate,
    supervise: options.supervise,
    // Half of the shortest heartbeat: a dead worker's job is found soon after it went silent.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    // Ended jobs are looked for every hour: payloads that are to be forgotten early are.
    maintenanceIntervalSeconds: 60 * 60,
    schedule: false,
    // The plain role owns no index, and an index of the queue is small.
    reindex: false,
  })
}

/** pg-boss forgets what nobody came for; here each job stands for something that has to be done, however late. */
const waitsAtMostSeconds = 10 * 365 * 24 * 60 * 60

function queueOptions(name: QueueName) {
  const queue = definitionOf(name)
  return {
    retryLimit: queue.retryLimit,
    retryDelay: queue.retryDelaySeconds,
    retryBackoff: true,
    ...(queue.retryDelayMaxSeconds !== undefined && { retryDelayMax: queue.retryDelayMaxSeconds }),
    heartbeatSeconds: queue.heartbeatSeconds,
    expireInSeconds: queue.expireInSeconds,
    retentionSeconds: waitsAtMostSeconds,
    ...(queue.forgottenAfterSeconds !== undefined && {
      deleteAfterSeconds: queue.forgottenAfterSeconds,
    }),
  }
}
