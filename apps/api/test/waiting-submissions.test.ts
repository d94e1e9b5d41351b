import { plans } from '@pdfnorm/contracts/schema/plan'
import type { NormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import { afterEach, expect, test } from 'vitest'
import { normalizeSubmissionJob } from '../src/job/normalize-submission.job.ts'
import { holdNormalizer } from './held-normalizer.ts'
import { pdf } from './pdf.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import { sharedNormalizer } from './shared-normalizer.ts'
import { ended, normalized, registerSubmitter, sha256Of, type Submitter } from './submitter.ts'

const toEnd: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of toEnd.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

async function serve(normalizer: NormalizerPool, work: boolean): Promise<TestServer> {
  const server = await startTestServer({ normalizer, work })
  toEnd.push(server)
  return server
}

async function work(server: TestServer, normalizer: NormalizerPool): Promise<void> {
  toEnd.push(await startBeside(server, { normalizer, work: true }))
}

async function onPlan(server: TestServer, planTier: keyof typeof plans): Promise<Submitter> {
  const submitter = await registerSubmitter(server)
  await change(server, submitter, planTier)
  return submitter
}

async function change(
  server: TestServer,
  { organization }: Submitter,
  planTier: keyof typeof plans,
): Promise<void> {
  await server.database.query('update organization set plan_tier = $2 where id = $1', [
    organization.id,
    planTier,
  ])
}

/** Submits documents one after another and leaves each to a job. */
async function submitMany(submitter: Submitter, documents: number, name: string) {
  const submitted: { id: string; sha256: string; requestId: string }[] = []
  for (let index = 0; index < documents; index += 1) {
    const original = pdf({ text: `${name} ${index}` })
    const answer = submitter.submit(original, {}, { Prefer: 'respond-async' })
    const { submissionId: id, requestId } = await normalized(answer, 202)
    submitted.push({ id, sha256: sha256Of(original), requestId })
  }
  return submitted
}

/** The shared pool, and the hashes of what it was given, in order. */
function recordOrder() {
  const order: string[] = []
  const normalizer: NormalizerPool = {
    normalize(bytes, options) {
      order.push(sha256Of(bytes))
      return sharedNormalizer.normalize(bytes, options)
    },
    stageOf: () => null,
    close: () => Promise.resolve(),
  }
  return { order, normalizer }
}

/** Lets copies of a submission wait behind all others of its organization. */
async function waitBehind(server: TestServer, id: string, copies: number): Promise<void> {
  await server.database.query(
    `insert into submission
     select (jsonb_populate_record(s, jsonb_build_object(
       'id', gen_random_uuid(), 'called', false, 'created_at', s.created_at + interval '1 hour'))).*
     from submission s, generate_series(1, $2) where s.id = $1`,
    [id, copies],
  )
  await server.database.query(
    `update document_usage set documents = documents + $2, submissions = submissions + $2
     where organization_id = (select organization_id from submission where id = $1)`,
    [id, copies],
  )
}

async function jobs(server: TestServer): Promise<{ submissionId: string; requestId: string }[]> {
  return server.database.query(
    `select data->>'submissionId' as "submissionId", data->'$origin'->>'requestId' as "requestId"
     from pgboss.job where name = 'normalize-submission' and state < 'completed'`,
  )
}

test('the queue never holds more jobs of an organization than it may run, however much waits', async () => {
  const server = await serve(sharedNormalizer, false)
  const [free, starter] = [await onPlan(server, 'free'), await onPlan(server, 'starter')]
  const first = await submitMany(free, 4, 'free')
  await submitMany(starter, 8, 'starter')

  const waiting = await jobs(server)
  expect(waiting).toHaveLength(plans.free.concurrentJobs + plans.starter.concurrentJobs)
  expect(waiting).toContainEqual({
    submissionId: first[0]?.id,
    requestId: first[0]?.requestId,
  })
})

test('what waits is called in the order of its acceptance, and goes on with its own request', async () => {
  const { order, normalizer } = recordOrder()
  const server = await serve(normalizer, false)
  const submitter = await onPlan(server, 'free')
  const submitted = await submitMany(submitter, 5, 'in order')
  const [first, second] = submitted

  const payload = { organizationId: submitter.organization.id, submissionId: first?.id ?? '' }
  const { signal } = new AbortController()
  await normalizeSubmissionJob.run(server.platform, payload, { isLast: false, signal })
  expect(await jobs(server)).toContainEqual({
    submissionId: second?.id,
    requestId: second?.requestId,
  })

  await work(server, normalizer)
  for (const { id } of submitted) expect((await ended(submitter, id)).status).toBe('SUCCESS')
  expect(order).toEqual(submitted.map(({ sha256 }) => sha256))
  await expect.poll(() => jobs(server), { interval: 20, timeout: 20_000 }).toEqual([])
})

test('one that may be waited for does not pass those that wait', async () => {
  const server = await serve(sharedNormalizer, false)
  const submitter = await onPlan(server, 'free')
  await submitMany(submitter, 1, 'before')
  const after = await normalized(submitter.submit(pdf({ text: 'after' })), 202)
  expect(after.status).toBe('PENDING')
})

test('an organization with 10,000 documents does not hold up one with a single one, over two workers', async () => {
  const server = await serve(sharedNormalizer, false)
  const [busy, small] = [await onPlan(server, 'pro'), await onPlan(server, 'free')]
  const [first] = await submitMany(busy, plans.pro.concurrentJobs, 'busy')
  await waitBehind(server, first?.id ?? '', 10_000)
  const [single] = await submitMany(small, 1, 'small')

  await work(server, sharedNormalizer)
  await work(server, sharedNormalizer)
  expect((await ended(small, single?.id ?? '')).status).toBe('SUCCESS')
  const before = await server.database.query(
    `select from submission where completed_at <= (select completed_at from submission where id = $1)`,
    [single?.id],
  )
  // Behind what the workers took at once when they came, and then one turn of each.
  const workers = 2 * server.config.workerConcurrency
  expect(before.length).toBeLessThanOrEqual(1 + 3 * workers)
  const left = await server.database.query(`select from submission where status = 'PENDING'`)
  expect(left.length).toBeGreaterThan(9_000)
})

test('on a smaller plan fewer run, and what was called for the larger one is called again', async () => {
  const server = await serve(sharedNormalizer, false)
  const submitter = await onPlan(server, 'starter')
  const submitted = await submitMany(submitter, 8, 'smaller')
  await change(server, submitter, 'free')
  const held = holdNormalizer()
  await work(server, held)
  await held.arrived(1)
  await expect
    .poll(async () => (await jobs(server)).length, { interval: 20, timeout: 20_000 })
    .toBe(1)

  held.release()
  for (const { id } of submitted) expect((await ended(submitter, id)).status).toBe('SUCCESS')
  expect(held.mostRunning).toBe(plans.free.concurrentJobs)
})

test('on a larger plan more run from the next end or acceptance on', async () => {
  const server = await serve(sharedNormalizer, false)
  const submitter = await onPlan(server, 'free')
  await submitMany(submitter, 7, 'larger')
  expect(await jobs(server)).toHaveLength(1)
  await change(server, submitter, 'starter')
  await submitMany(submitter, 1, 'one more')
  expect(await jobs(server)).toHaveLength(plans.starter.concurrentJobs)
})

test('a job of an organization that is gone ends without a trace', async () => {
  const server = await serve(sharedNormalizer, false)
  const submitter = await onPlan(server, 'free')
  await submitMany(submitter, 2, 'gone')
  await server.database.query('delete from organization where id = $1', [submitter.organization.id])
  await work(server, sharedNormalizer)
  await expect.poll(() => jobs(server), { interval: 20, timeout: 20_000 }).toEqual([])
  const failed = `select from pgboss.job where name = 'normalize-submission' and state <> 'completed'`
  expect(await server.database.query(failed)).toEqual([])
})
