import { limits } from '@pdfnorm/contracts/schema/limit'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { Statistics } from '@pdfnorm/contracts/schema/statistics'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { normalizeSubmissionJob } from '../src/job/normalize-submission.job.ts'
import type { PortalRpc } from '../src/rpc/portal-rpc.ts'
import { leaseMs, maxFaults } from '../src/submission/submission.ts'
import { holdNormalizer } from './held-normalizer.ts'
import { registerTestOrganization, type TestOrganization } from './organization.ts'
import { encryptedPdf, pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { ended, normalized, problem, registerSubmitter } from './submitter.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const nothing = { total: 0, success: 0, failed: 0, rejected: 0 }

async function statisticsOf(organization: TestOrganization): Promise<Statistics> {
  const response = await organization.fetch('/api/portal/stats')
  expect(response.status).toBe(200)
  return Statistics.parse(await response.json())
}

function runJob(server: TestServer, organizationId: string, submissionId: string): Promise<void> {
  const attempt = { isLast: false, signal: new AbortController().signal }
  return normalizeSubmissionJob.run(server.platform, { organizationId, submissionId }, attempt)
}

test('an organization without submissions has no average, and counts nothing', async () => {
  expect(await statisticsOf(await registerTestOrganization(server))).toEqual({
    allTime: nothing,
    currentMonth: nothing,
    planLimit: plans.free.monthlyDocuments,
    usedThisMonth: 0,
    usageLimitPercent: 0,
    averageProcessingMs: null,
    recentSubmissions: [],
  })
})

test('each end is counted as what it is, and only a success uses a document', async () => {
  const submitter = await registerSubmitter(server)
  const bodies = [
    await normalized(submitter.submit(pdf({ text: 'one' }))),
    await normalized(submitter.submit(encryptedPdf('x'))),
    await normalized(submitter.submit(Buffer.from('%PDF-1.7 nothing'))),
    await normalized(
      submitter.submit(pdf({ text: 'large', paddingBytes: plans.free.maxFileBytes })),
    ),
    await normalized(submitter.submit(pdf({ text: 'two' }))),
  ]
  expect(bodies.map(({ status }) => status)).toEqual([
    'SUCCESS',
    'REJECTED',
    'FAILED',
    'REJECTED',
    'SUCCESS',
  ])

  const counts = { total: 5, success: 2, failed: 1, rejected: 2 }
  const times = [bodies[0], bodies[4]].map((body) => body?.processingTimeMs ?? 0)
  const statistics = await statisticsOf(submitter.organization)
  expect(statistics).toMatchObject({
    allTime: counts,
    currentMonth: counts,
    usedThisMonth: 2,
    usageLimitPercent: 2,
    averageProcessingMs: Math.round(times.reduce((sum, time) => sum + time, 0) / 2),
  })
  expect(
    statistics.recentSubmissions.map(({ submissionId, status }) => [submissionId, status]),
  ).toEqual(bodies.map(({ submissionId, status }) => [submissionId, status]).toReversed())
  expect(statistics.recentSubmissions.every(({ completedAt }) => completedAt !== null)).toBe(true)
})

test('before the first success there is no average', async () => {
  const submitter = await registerSubmitter(server)
  await normalized(submitter.submit(encryptedPdf('x')))
  expect(await statisticsOf(submitter.organization)).toMatchObject({
    allTime: { ...nothing, total: 1, rejected: 1 },
    averageProcessingMs: null,
  })
})

test('a repeat, and what is refused, is no submission', async () => {
  const submitter = await registerSubmitter(server)
  const document = pdf({ text: 'repeated' })
  await Promise.all(
    Array.from({ length: 10 }, () => submitter.submit(document, { idempotency_key: 'same' })),
  )
  await submitter.submit(document, { idempotency_key: 'same' })
  const other = submitter.submit(pdf({ text: 'another' }), { idempotency_key: 'same' })
  await problem(other, 422, 'IDEMPOTENCY_KEY_REUSED')
  await problem(submitter.submit(Buffer.from('no pdf')), 400, 'INVALID_FILE')
  await server.platform.runs.settle(25_000)

  const statistics = await statisticsOf(submitter.organization)
  expect(statistics.allTime).toEqual({ ...nothing, total: 1, success: 1 })
  expect(statistics.usedThisMonth).toBe(1)
  expect(statistics.recentSubmissions).toHaveLength(1)
})

test('a submission that is refused for its quota leaves the counts as they were', async () => {
  const submitter = await registerSubmitter(server)
  await normalized(submitter.submit(pdf({ text: 'the first' })))
  await server.database.query(
    'update document_usage set documents = $1 where organization_id = $2',
    [plans.free.monthlyDocuments, submitter.organization.id],
  )
  await problem(submitter.submit(pdf({ text: 'too many' })), 402, 'QUOTA_EXCEEDED')

  expect(await statisticsOf(submitter.organization)).toMatchObject({
    allTime: { ...nothing, total: 1, success: 1 },
    usedThisMonth: plans.free.monthlyDocuments,
    usageLimitPercent: 100,
  })
})

test('submissions that arrive and end at once are all counted', async () => {
  const submitter = await registerSubmitter(server)
  await server.database.query(`update organization set plan_tier = 'pro' where id = $1`, [
    submitter.organization.id,
  ])
  const documents = [pdf({ text: 'a' }), encryptedPdf('b'), Buffer.from('%PDF-1.7 c')]
  const answers = await Promise.all(
    Array.from({ length: 18 }, (_, index) =>
      submitter.submit(documents[index % documents.length] ?? pdf({ text: 'a' })),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))

  expect(await statisticsOf(submitter.organization)).toMatchObject({
    allTime: { total: 18, success: 6, failed: 6, rejected: 6 },
    planLimit: plans.pro.monthlyDocuments,
    usedThisMonth: 6,
  })
})

test('what has not ended is counted, and reserves its document', async () => {
  const submitter = await registerSubmitter(server)
  const body = await normalized(
    submitter.submit(pdf({ text: 'later' }), {}, { Prefer: 'respond-async' }),
    202,
  )

  expect(await statisticsOf(submitter.organization)).toMatchObject({
    allTime: { ...nothing, total: 1 },
    usedThisMonth: 1,
    averageProcessingMs: null,
    recentSubmissions: [{ submissionId: body.submissionId, status: 'PENDING', completedAt: null }],
  })
})

test('a document is counted once, however often it was tried', async () => {
  const losing = await startTestServer({
    normalizer: {
      normalize: () => Promise.reject(new Error('the worker is lost')),
      stageOf: () => null,
      close: () => Promise.resolve(),
    },
  })
  const submitter = await registerSubmitter(losing)
  const { organization } = submitter
  const { submissionId } = await normalized(
    submitter.submit(pdf({ text: 'poison' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  for (let fault = 1; fault <= maxFaults; fault += 1) {
    await expect(runJob(losing, organization.id, submissionId)).rejects.toThrow('lost')
    expect((await statisticsOf(organization)).allTime).toEqual({ ...nothing, total: 1 })
  }
  await runJob(losing, organization.id, submissionId)
  await runJob(losing, organization.id, submissionId)

  const statistics = await statisticsOf(organization)
  expect(statistics.allTime).toEqual({ ...nothing, total: 1, failed: 1 })
  expect(statistics.usedThisMonth).toBe(0)
  await losing[Symbol.asyncDispose]()
})

test('a run that lost its right to end a submission does not count it again', async () => {
  const normalizer = holdNormalizer()
  const held = await startTestServer({ normalizer })
  const submitter = await registerSubmitter(held)
  const { submissionId } = await normalized(
    submitter.submit(pdf({ text: 'two runs' }), {}, { Prefer: 'wait=0' }),
    202,
  )
  await normalizer.arrived(1)
  held.clock.advance(leaseMs + 1)
  const second = runJob(held, submitter.organization.id, submissionId)
  await normalizer.arrived(2)
  normalizer.release()
  await second
  await held.platform.runs.settle(25_000)

  expect((await ended(submitter, submissionId)).status).toBe('SUCCESS')
  const statistics = await statisticsOf(submitter.organization)
  expect(statistics.allTime).toEqual({ ...nothing, total: 1, success: 1 })
  expect(statistics.usedThisMonth).toBe(1)
  await held[Symbol.asyncDispose]()
})

test('a new cycle counts from nothing; what began in the former one is counted there when it ends', async () => {
  const own = await startTestServer()
  const submitter = await registerSubmitter(own)
  await normalized(submitter.submit(pdf({ text: 'before' })))
  const { submissionId } = await normalized(
    submitter.submit(encryptedPdf('x'), {}, { Prefer: 'respond-async' }),
    202,
  )
  // The registration moves back, and not the clock ahead: the access token is good for minutes only.
  await own.database.query(
    `update organization set created_at = created_at - interval '31 days' where id = $1`,
    [submitter.organization.id],
  )
  await own.database.query(
    `update document_usage set cycle_starts_at = cycle_starts_at - interval '31 days'`,
  )
  await own.database.query(
    `update submission set quota_cycle_starts_at = quota_cycle_starts_at - interval '31 days'
     where quota_cycle_starts_at is not null`,
  )
  // The free plan's one slot is taken by what waits.
  const after = await normalized(submitter.submit(pdf({ text: 'after' })), 202)
  await runJob(own, submitter.organization.id, submissionId)
  await runJob(own, submitter.organization.id, after.submissionId)

  expect(await statisticsOf(submitter.organization)).toMatchObject({
    allTime: { total: 3, success: 2, failed: 0, rejected: 1 },
    currentMonth: { total: 1, success: 1, failed: 0, rejected: 0 },
    usedThisMonth: 1,
  })
  await own[Symbol.asyncDispose]()
})

test('the counts outlive the submissions, for they are kept and not made anew', async () => {
  const submitter = await registerSubmitter(server)
  await normalized(submitter.submit(pdf({ text: 'kept' })))
  const before = await statisticsOf(submitter.organization)
  await server.database.query('delete from submission where organization_id = $1', [
    submitter.organization.id,
  ])

  expect(await statisticsOf(submitter.organization)).toEqual({ ...before, recentSubmissions: [] })
})

test('the recent submissions are few, and the newest', async () => {
  const submitter = await registerSubmitter(server)
  const ids: string[] = []
  for (let sent = 0; sent < limits.recentSubmissions + 2; sent += 1) {
    const response = submitter.submit(encryptedPdf(`${sent}`))
    ids.push((await normalized(response)).submissionId)
  }
  const { recentSubmissions } = await statisticsOf(submitter.organization)
  expect(recentSubmissions.map(({ submissionId }) => submissionId)).toEqual(
    ids.toReversed().slice(0, limits.recentSubmissions),
  )
})

test('organizations do not see each other, and the internal apps get the same', async () => {
  const [one, other] = [await registerSubmitter(server), await registerSubmitter(server)]
  await normalized(one.submit(pdf({ text: 'mine' })))
  const { accessToken } = one.organization
  const portal = createTRPCClient<PortalRpc>({
    links: [
      httpBatchLink({
        url: `${server.url}/rpc`,
        headers: { Authorization: `Bearer ${accessToken}` },
      }),
    ],
  })

  expect((await statisticsOf(other.organization)).allTime).toEqual(nothing)
  const overHttp = await statisticsOf(one.organization)
  expect(overHttp.allTime.total).toBe(1)
  expect(await portal.statistics.get.query()).toEqual(overHttp)
})
