import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withoutOrganization } from '../src/database/transaction.ts'
import { job } from '../src/job/job.ts'
import { sendDueJobs } from '../src/job/recurring-jobs.ts'
import { workQueue } from '../src/job/work-queue.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'

/** Any queue: nothing works it off here. */
const queue = 'request-mail'
const everyYear = [[queue, '0 0 1 1 *']] as const

let server: TestServer
let beside: TestServer
beforeAll(async () => {
  server = await startTestServer()
  beside = await startBeside(server)
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
afterEach(async () => {
  await server.database.query('delete from recurring_job')
  await server.database.query('delete from pgboss.job')
})

test('a recurring job that was never due before waits for its next time', async () => {
  const pauseMs = await sendDueJobs(server.platform, everyYear)
  expect(pauseMs).toBeGreaterThan(0)
  expect(pauseMs).toBeLessThanOrEqual(30_000)
  expect(await jobsSent()).toBe(0)
})

test('all processes together send it once when it is due', async () => {
  await sendDueJobs(server.platform, everyYear)
  await wasLastDue('1 year')

  await Promise.all(
    [server, beside, server, beside].map(({ platform }) => sendDueJobs(platform, everyYear)),
  )
  expect(await jobsSent()).toBe(1)
})

test('what was missed while nothing ran is made up for by one job', async () => {
  await sendDueJobs(server.platform, everyYear)
  await wasLastDue('3 years')

  await sendDueJobs(server.platform, everyYear)
  await sendDueJobs(beside.platform, everyYear)
  expect(await jobsSent()).toBe(1)
})

test('it is due every time again', async () => {
  await sendDueJobs(server.platform, everyYear)
  for (let times = 0; times < 2; times += 1) {
    await wasLastDue('1 year')
    await sendDueJobs(server.platform, everyYear)
  }
  expect(await jobsSent()).toBe(2)
})

test('a due time whose job could not be sent stays due', async () => {
  await sendDueJobs(server.platform, everyYear)
  await wasLastDue('1 year')

  const { orm, log, queue: jobs } = server.platform
  const failing = {
    ...jobs,
    sendRecurring: async () => {
      throw new Error('the process dies here')
    },
  }
  await expect(sendDueJobs({ orm, log, queue: failing }, everyYear)).rejects.toThrow('dies here')
  expect(await jobsSent()).toBe(0)

  await sendDueJobs(beside.platform, everyYear)
  expect(await jobsSent()).toBe(1)
})

test('it waits once however often it is due, and never runs twice at a time', async () => {
  const { platform } = server
  const send = () =>
    withoutOrganization(platform.orm, (em) => platform.queue.sendRecurring(em, 'clear-expired'))
  let running = 0
  let mostRunning = 0
  const runs = {
    count: 0,
    begun: Promise.withResolvers<void>(),
    second: Promise.withResolvers<void>(),
  }
  const release = Promise.withResolvers<void>()
  const slow = job('clear-expired', async () => {
    running += 1
    mostRunning = Math.max(mostRunning, running)
    runs.count += 1
    if (runs.count === 1) runs.begun.resolve()
    else runs.second.resolve()
    await release.promise
    running -= 1
  })

  expect(await send()).not.toBeNull()
  expect(await send()).toBeNull()
  const workers = [workQueue(platform, slow, 2), workQueue(beside.platform, slow, 2)]
  await runs.begun.promise
  expect(await send()).not.toBeNull()
  for (const worker of workers) worker.wake()
  // Time enough for the other ones to look for it.
  await server.database.query('select pg_sleep(0.1)')
  expect(runs.count).toBe(1)

  release.resolve()
  await runs.second.promise
  await Promise.all(workers.map((worker) => worker.stop(100)))
  expect(mostRunning).toBe(1)
})

/** As if the last time that it was due had been so much earlier. */
async function wasLastDue(earlier: string): Promise<void> {
  await server.database.query(`update recurring_job set due_at = due_at - $1::interval`, [earlier])
}

async function jobsSent(): Promise<number> {
  const [row] = await server.database.query<{ count: number }>(
    `select count(*)::int as count from pgboss.job where name = '${queue}'`,
  )
  return row?.count ?? 0
}
