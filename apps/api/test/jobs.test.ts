import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { PlanTier } from '@pdfnorm/contracts/schema/plan'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listen } from '../src/database/listen.ts'
import { withOrganization } from '../src/database/transaction.ts'
import { job } from '../src/job/job.ts'
import { wakeChannel } from '../src/job/job-queue.ts'
import { type QueueWork, workQueue } from '../src/job/work-queue.ts'
import { registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

const queue = 'normalize-submission'

interface Organization {
  id: string
  schemaName: string
  planTier: PlanTier
}

let server: TestServer
let working: { stop(): Promise<void> }[]
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  working = []
  await server.platform.queue.boss.deleteAllJobs(queue)
})
afterEach(stopWorking)

test('a job exists when, and only when, the transaction that sent it commits', async () => {
  const organization = await newOrganization()
  const failing = withOrganization(server.platform.orm, organization.id, async (em) => {
    await server.platform.queue.send(em, queue, payloadOf(organization), organization)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await countJobs()).toEqual({})

  await send(organization)
  expect(await countJobs()).toEqual({ created: 1 })
})

test('many jobs are worked off without a pause between them, by the wake-up of their send', async () => {
  const organization = await newOrganization('pro')
  const done = counter()
  work(async () => done.add(), 4)

  await Promise.all(Array.from({ length: 40 }, () => send(organization)))
  await done.reached(40)
  await stopWorking()
  expect(await countJobs()).toEqual({ completed: 40 })
})

test('an organization with many jobs does not hold up one with a single job', async () => {
  const [busy, small] = [await newOrganization('pro'), await newOrganization()]
  for (let sent = 0; sent < 20; sent += 1) await send(busy)
  await send(small)

  const order: string[] = []
  const done = counter()
  work(async (organizationId) => {
    order.push(organizationId)
    done.add()
  }, 1)
  await done.reached(21)
  expect(order.indexOf(small.id)).toBeLessThanOrEqual(2)
})

test('a job that fails is tried again, and told which try is its last', async () => {
  const organization = await newOrganization()
  const tries: boolean[] = []
  const done = counter()
  work(async (_organizationId, isLast) => {
    tries.push(isLast)
    done.add()
    if (tries.length === 1) throw new Error('the first try fails')
  }, 1)

  await send(organization)
  await done.reached(2)
  await stopWorking()
  expect(tries).toEqual([false, false])
  expect(await countJobs()).toEqual({ completed: 1 })
})

test('a job that no worker comes for is not forgotten', async () => {
  await send(await newOrganization())
  await server.database.query(
    `update pgboss.job set created_on = created_on - interval '1 year',
       start_after = start_after - interval '1 year', keep_until = keep_until - interval '1 year'`,
  )
  await server.database.query('update pgboss.queue set maintain_on = null')
  await server.platform.queue.boss.supervise(queue)
  expect(await countJobs()).toEqual({ created: 1 })
})

test('the job of a worker that died goes to another one', async () => {
  const organization = await newOrganization()
  await send(organization)
  const taken = counter()
  work(async (_organizationId, _isLast, signal) => {
    taken.add()
    await once(signal, 'abort')
  }, 1)
  await taken.reached(1)

  // As if the silent worker had been gone for a minute, and nobody had looked since.
  await server.database.query(
    `update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  )
  await server.database.query('update pgboss.queue set monitor_on = null, monitor_claim_on = null')
  await server.platform.queue.boss.supervise(queue)
  expect(await countJobs()).toEqual({ retry: 1 })

  const done = counter()
  work(async () => done.add(), 1)
  await done.reached(1)
})

async function newOrganization(planTier: PlanTier = 'free'): Promise<Organization> {
  const { id } = await registerTestOrganization(server)
  return { id, schemaName: `org_${id.replaceAll('-', '')}`, planTier }
}

function payloadOf({ id }: Organization) {
  return { organizationId: id, submissionId: randomUUID() }
}

async function send(organization: Organization): Promise<void> {
  const { orm, queue: jobs } = server.platform
  await withOrganization(orm, organization.id, (em) =>
    jobs.send(em, queue, payloadOf(organization), organization),
  )
}

/** Works the queue off as one process does. */
function work(
  run: (organizationId: string, isLast: boolean, signal: AbortSignal) => Promise<void>,
  concurrency: number,
): { stop(): Promise<void> } {
  const { platform, database } = server
  const testJob = job(queue, (_platform, { organizationId }, { isLast, signal }) =>
    run(organizationId, isLast, signal),
  )
  const loop: QueueWork = workQueue(platform, testJob, concurrency)
  const listener = listen(database.connection, platform.log, wakeChannel, () => loop.wake())
  const ended = {
    stop: async () => {
      await listener.stop()
      await loop.stop(100)
    },
  }
  working.push(ended)
  return ended
}

async function stopWorking(): Promise<void> {
  for (const work of working.splice(0)) await work.stop()
}

async function countJobs(): Promise<Record<string, number>> {
  const rows = await server.database.query<{ state: string; count: number }>(
    `select state, count(*)::int as count from pgboss.job where name = '${queue}' group by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** Counts, and lets a test wait for a number without asking again and again. */
function counter() {
  let count = 0
  let wake = () => undefined as void
  return {
    add: () => {
      count += 1
      wake()
    },
    reached: (number: number) =>
      new Promise<void>((resolve) => {
        wake = () => {
          if (count >= number) resolve()
        }
        wake()
      }),
  }
}
