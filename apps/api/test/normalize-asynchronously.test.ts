import { pendingResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { plans } from '@pdfnorm/contracts/schema/plan'
import type { NormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { normalizeSubmissionJob } from '../src/job/normalize-submission.job.ts'
import { startWork } from '../src/job/start-work.ts'
import { openPlatform, type Platform } from '../src/platform.ts'
import { leaseMs, maxAttempts, maxFaults } from '../src/submission/submission.ts'
import { holdNormalizer } from './held-normalizer.ts'
import { pdf } from './pdf.ts'
import { sharedNormalizer } from './shared-normalizer.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'
import {
  ended,
  normalized,
  registerSubmitter,
  sha256Of,
  type Submitter,
  whatIsStored,
} from './submitter.ts'

const toEnd: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of toEnd.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

async function serve(
  options: TestServerOptions,
): Promise<{ server: TestServer; submitter: Submitter }> {
  const server = await startTestServer(options)
  toEnd.push(server)
  return { server, submitter: await registerSubmitter(server) }
}

/** Another process of the service, as far as the database and the storage can tell. */
async function anotherProcess(
  server: TestServer,
  normalizer: NormalizerPool = sharedNormalizer,
): Promise<Platform> {
  const platform = await openPlatform(server.config, server.database.connection, {
    clock: server.clock,
    log: pino({ level: 'silent' }),
    normalizer,
  })
  toEnd.push(platform)
  return platform
}

const failingNormalizer: NormalizerPool = {
  normalize: () => Promise.reject(new Error('out of order')),
  stageOf: () => null,
  close: () => Promise.resolve(),
}

async function statusOf(server: TestServer, submissionId: string) {
  const [row] = await server.database.query<{
    status: string
    attempts: number
    asynchronous: boolean
  }>('select status, attempts, asynchronous from submission where id = $1', [submissionId])
  return row
}

function runJob(platform: Platform, organizationId: string, submissionId: string): Promise<void> {
  const attempt = { isLast: false, signal: new AbortController().signal }
  return normalizeSubmissionJob.run(platform, { organizationId, submissionId }, attempt)
}

test('a caller who will not wait is answered with 202 and the pending shape, and finds the result', async () => {
  const { submitter } = await serve({ work: true })
  const original = pdf({ text: 'later' })
  const response = await submitter.submit(original, {}, { Prefer: 'respond-async' })
  const headers = Object.fromEntries(response.headers)
  const body = await normalized(response, 202)

  expect(body).toEqual(
    pendingResponse({
      apiVersion: '2026-11-01',
      requestId: headers['x-request-id'] ?? '',
      submissionId: body.submissionId,
      original: { sha256: sha256Of(original), sizeBytes: original.length },
      status: 'PENDING',
    }),
  )
  expect(headers).toMatchObject({
    location: `/api/submissions/${body.submissionId}`,
    'retry-after': expect.stringMatching(/^\d+$/),
    'preference-applied': 'respond-async',
  })

  const record = await ended(submitter, body.submissionId)
  expect(record.status).toBe('SUCCESS')
  const artifact = await submitter.get(new URL(record.downloadUrl ?? '').pathname)
  expect(artifact.status).toBe(200)
})

test('a file over the synchronous size is accepted and done by a job', async () => {
  const { server, submitter } = await serve({
    work: true,
    environment: { SYNC_MAX_BYTES: '32KiB' },
  })
  const body = await normalized(submitter.submit(pdf({ text: 'big', paddingBytes: 40_000 })), 202)

  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({
    asynchronous: true,
    attempts: 1,
  })
})

test('when the caller has waited long enough the same run goes on in the background', async () => {
  const normalizer = holdNormalizer()
  // Nobody works off the queue here: only the run that began can end it.
  const { server, submitter } = await serve({ normalizer, work: false })
  const response = await submitter.submit(pdf({ text: 'slow' }), {}, { Prefer: 'wait=0' })
  expect(response.headers.get('preference-applied')).toBe('wait=0')
  const body = await normalized(response, 202)
  expect(body.status).toBe('IN_PROGRESS')
  normalizer.release()

  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({
    asynchronous: true,
    attempts: 1,
  })
})

test('without a free slot a document waits for its turn, however small it is', async () => {
  const normalizer = holdNormalizer()
  const { submitter } = await serve({ normalizer, work: true })
  const first = submitter.submit(pdf({ text: 'first' }))
  await normalizer.arrived(1)
  const second = await normalized(submitter.submit(pdf({ text: 'second' })), 202)
  expect(second.status).toBe('PENDING')
  normalizer.release()

  expect((await normalized(first)).status).toBe('SUCCESS')
  expect((await ended(submitter, second.submissionId)).status).toBe('SUCCESS')
  expect(normalizer.mostRunning).toBe(1)
})

test('over several processes never more documents run than the plan allows', async () => {
  const normalizer = holdNormalizer()
  const { server, submitter } = await serve({ normalizer, work: true })
  await server.database.query(`update organization set plan_tier = 'starter' where id = $1`, [
    submitter.organization.id,
  ])
  const other = await anotherProcess(server, normalizer)
  const work = startWork(other, server.database.connection)
  toEnd.push({ [Symbol.asyncDispose]: () => work.stop(0) })

  const synchronous = Array.from({ length: 4 }, (_, i) =>
    submitter.submit(pdf({ text: `now ${i}` })),
  )
  const asynchronous = Array.from({ length: 10 }, (_, i) =>
    submitter.submit(pdf({ text: `later ${i}` }), {}, { Prefer: 'respond-async' }),
  )
  const accepted = await Promise.all(asynchronous.map((response) => normalized(response, 202)))
  await normalizer.arrived(plans.starter.concurrentJobs - 1)
  normalizer.release()

  for (const { submissionId } of accepted) {
    expect((await ended(submitter, submissionId)).status).toBe('SUCCESS')
  }
  for (const response of await Promise.all(synchronous)) expect(response.ok).toBe(true)
  expect(normalizer.mostRunning).toBeLessThanOrEqual(plans.starter.concurrentJobs)
})

test('a job that finds its submission ended does nothing', async () => {
  const { server, submitter } = await serve({})
  const body = await normalized(submitter.submit(pdf({ text: 'done' })))
  const stored = await whatIsStored(server)
  const record = await (await submitter.get(`/api/submissions/${body.submissionId}`)).json()

  await runJob(server.platform, submitter.organization.id, body.submissionId)
  expect(await whatIsStored(server)).toEqual(stored)
  expect(await (await submitter.get(`/api/submissions/${body.submissionId}`)).json()).toEqual(
    record,
  )
})

test('a job rests behind a synchronous run until its end, and takes the document over if that does not come', async () => {
  const crashing = holdNormalizer()
  const { server, submitter } = await serve({ normalizer: crashing })
  const body = await normalized(
    submitter.submit(pdf({ text: 'rest' }), {}, { Prefer: 'wait=0' }),
    202,
  )
  const rests = `select data->>'submissionId' as submission, start_after > now() as rests
                 from pgboss.job where name = 'normalize-submission'`
  expect(await server.database.query(rests)).toEqual([
    { submission: body.submissionId, rests: true },
  ])

  // As if the process had died and the rest were over.
  server.clock.advance(leaseMs + 1)
  await server.database.query(`update pgboss.job set start_after = now()`)
  const other = await anotherProcess(server)
  const work = startWork(other, server.database.connection)
  toEnd.push({ [Symbol.asyncDispose]: () => work.stop(10_000) })
  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({ attempts: 2 })
})

test('a run that ends takes its resting job along, also when its caller did not wait', async () => {
  const normalizer = holdNormalizer()
  const { server, submitter } = await serve({ normalizer })
  const body = await normalized(
    submitter.submit(pdf({ text: 'withdrawn' }), {}, { Prefer: 'wait=0' }),
    202,
  )
  expect(await whatIsStored(server)).toMatchObject({ jobs: 1 })
  normalizer.release()
  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await whatIsStored(server)).toMatchObject({ jobs: 0 })
})

test('what a crashed process began, another one ends; the crashed run changes nothing any more', async () => {
  const crashing = holdNormalizer()
  const { server, submitter } = await serve({ normalizer: crashing })
  const body = await normalized(
    submitter.submit(pdf({ text: 'crash' }), {}, { Prefer: 'wait=0' }),
    202,
  )
  await crashing.arrived(1)
  const other = await anotherProcess(server)

  // While the run lives, nobody takes its document.
  await runJob(other, submitter.organization.id, body.submissionId)
  expect(await statusOf(server, body.submissionId)).toMatchObject({
    status: 'IN_PROGRESS',
    attempts: 1,
  })

  server.clock.advance(leaseMs + 1)
  await runJob(other, submitter.organization.id, body.submissionId)
  const record = await ended(submitter, body.submissionId)
  expect(record.status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({ attempts: 2 })

  const stored = await whatIsStored(server)
  crashing.release()
  await server.platform.runs.settle(25_000)
  expect(await ended(submitter, body.submissionId)).toEqual(record)
  expect(await whatIsStored(server)).toEqual(stored)
})

test('what a process began for a caller and did not end is announced, since nobody was answered', async () => {
  const crashing = holdNormalizer()
  const { server, submitter } = await serve({ normalizer: crashing })
  const unanswered = submitter.submit(pdf({ text: 'unanswered' }))
  await crashing.arrived(1)
  const [row] = await server.database.query<{ id: string }>('select id from submission')
  const id = row?.id ?? ''
  expect(await statusOf(server, id)).toMatchObject({ asynchronous: false })

  server.clock.advance(leaseMs + 1)
  await runJob(await anotherProcess(server), submitter.organization.id, id)
  expect(await statusOf(server, id)).toMatchObject({ status: 'SUCCESS', asynchronous: true })
  crashing.release()
  expect((await normalized(unanswered)).status).toBe('SUCCESS')
})

test('a run whose database goes away while it ends leaves nothing half-written, and is made up for', async () => {
  const { server, submitter } = await serve({ work: false })
  const body = await normalized(
    submitter.submit(pdf({ text: 'cut off' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  const { id } = submitter.organization
  const before = await whatIsStored(server)
  // Whatever ends a submission writes here last: it waits, and then its connection is gone.
  const client = new Client({ connectionString: server.database.connection.url })
  await client.connect()
  await client.query('begin; lock table document_usage in exclusive mode')
  const cut = runJob(server.platform, id, body.submissionId).catch((error: unknown) => error)
  await expect
    .poll(
      () =>
        client.query(
          `select pg_terminate_backend(pid) from pg_locks
           where relation = 'document_usage'::regclass and not granted`,
        ),
      { interval: 20, timeout: 20_000 },
    )
    .toMatchObject({ rowCount: 1 })
  expect(String(await cut)).toMatch(/terminat/)
  await client.end()
  expect(await statusOf(server, body.submissionId)).toMatchObject({ status: 'IN_PROGRESS' })
  expect(await whatIsStored(server)).toMatchObject({ reports: 0, attestations: 0, documents: 1 })

  await runJob(server.platform, id, body.submissionId)
  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({ attempts: 1 })
  expect(await whatIsStored(server)).toMatchObject({
    submissions: 1,
    documents: before['documents'],
    reports: 1,
    attestations: 1,
  })
})

test('a document whose worker is lost each time ends as FAILED and is given back', async () => {
  const { server, submitter } = await serve({ work: false })
  const body = await normalized(
    submitter.submit(pdf({ text: 'poison' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    // Its process is gone: nothing is heard of this run again.
    const lost = holdNormalizer()
    const dying = await anotherProcess(server, lost)
    void runJob(dying, submitter.organization.id, body.submissionId).catch(() => undefined)
    await lost.arrived(1)
    expect(await statusOf(server, body.submissionId)).toMatchObject({
      status: 'IN_PROGRESS',
      attempts: attempt,
    })
    server.clock.advance(leaseMs + 1)
  }
  await runJob(server.platform, submitter.organization.id, body.submissionId)

  expect(await ended(submitter, body.submissionId)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'INTERNAL_ERROR', stage: null },
  })
  expect(await whatIsStored(server)).toMatchObject({ submissions: 1, documents: 0, artifacts: 0 })
})

test('a service that fails for a while costs the document none of its tries', async () => {
  const { server, submitter } = await serve({ work: false })
  const body = await normalized(
    submitter.submit(pdf({ text: 'outage' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  const failing = await anotherProcess(server, failingNormalizer)
  for (let fault = 1; fault <= maxAttempts + 1; fault += 1) {
    await expect(runJob(failing, submitter.organization.id, body.submissionId)).rejects.toThrow(
      'out of order',
    )
  }
  await runJob(server.platform, submitter.organization.id, body.submissionId)
  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({ attempts: 1 })
})

test('a service that fails without end does not hold the slot of an organization for ever', async () => {
  const { server, submitter } = await serve({ work: false })
  const body = await normalized(
    submitter.submit(pdf({ text: 'no end' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  const failing = await anotherProcess(server, failingNormalizer)
  for (let fault = 1; fault <= maxFaults; fault += 1) {
    await runJob(failing, submitter.organization.id, body.submissionId).catch(() => undefined)
  }
  await runJob(failing, submitter.organization.id, body.submissionId)
  expect(await ended(submitter, body.submissionId)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'INTERNAL_ERROR', stage: null },
  })
  expect(await whatIsStored(server)).toMatchObject({ documents: 0 })
})

test('a synchronous run that fails by no fault of its document is answered with 202 and tried again', async () => {
  let failures = 1
  const { server, submitter } = await serve({
    work: true,
    normalizer: {
      normalize: (bytes, options) =>
        failures-- > 0
          ? Promise.reject(new Error('lost'))
          : sharedNormalizer.normalize(bytes, options),
      stageOf: () => null,
      close: () => sharedNormalizer.close(),
    },
  })
  const body = await normalized(submitter.submit(pdf({ text: 'again' })), 202)

  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({ attempts: 1 })
})

test('an original that the storage has lost ends the submission as FAILED', async () => {
  const { server, submitter } = await serve({ work: false })
  const body = await normalized(
    submitter.submit(pdf({ text: 'lost' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  const { objects } = server.platform
  for (const key of await objects.list('ca-central-1')) await objects.delete('ca-central-1', key)
  await runJob(server.platform, submitter.organization.id, body.submissionId)

  expect(await ended(submitter, body.submissionId)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'INTERNAL_ERROR' },
  })
})

test('a stopping process gives its documents back to the queue, where others find them at once', async () => {
  const normalizer = holdNormalizer()
  const { server, submitter } = await serve({ normalizer, work: false })
  const body = await normalized(
    submitter.submit(pdf({ text: 'drain' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  const stopping = startWork(server.platform, server.database.connection)
  await normalizer.arrived(1)
  await stopping.stop(0)
  expect(await statusOf(server, body.submissionId)).toMatchObject({
    status: 'IN_PROGRESS',
    attempts: 0,
  })

  const other = startWork(await anotherProcess(server), server.database.connection)
  toEnd.push({ [Symbol.asyncDispose]: () => other.stop(10_000) })
  // Without the time of a lease, which does not pass here.
  expect((await ended(submitter, body.submissionId)).status).toBe('SUCCESS')
  expect(await statusOf(server, body.submissionId)).toMatchObject({ attempts: 1 })

  // What the stopped process still had is heard of no more.
  const stored = await whatIsStored(server)
  normalizer.release()
  expect(await whatIsStored(server)).toEqual(stored)
})
