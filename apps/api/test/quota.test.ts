import { plans } from '@pdfnorm/contracts/schema/plan'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encryptedPdf, pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  normalized,
  problem,
  registerSubmitter,
  type Submitter,
  whatIsStored,
} from './submitter.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const day = 24 * 60 * 60 * 1000

async function used(submitter: Submitter): Promise<number[]> {
  const rows = await server.database.query<{ documents: number }>(
    'select documents from document_usage where organization_id = $1 order by cycle_starts_at',
    [submitter.organization.id],
  )
  return rows.map((row) => row.documents)
}

async function submitterWithUsed(documents: number, plan = 'free'): Promise<Submitter> {
  const submitter = await registerSubmitter(server)
  await server.database.query('update organization set plan_tier = $1 where id = $2', [
    plan,
    submitter.organization.id,
  ])
  await server.database.query(
    `insert into document_usage (organization_id, cycle_starts_at, documents)
     select id, created_at, $1 from organization where id = $2`,
    [documents, submitter.organization.id],
  )
  return submitter
}

test('a success uses one document; what fails or is rejected is given back', async () => {
  const submitter = await registerSubmitter(server)
  await normalized(submitter.submit(pdf({ text: 'counts' })))
  expect(await used(submitter)).toEqual([1])

  expect((await normalized(submitter.submit(encryptedPdf('x')))).status).toBe('REJECTED')
  const failed = await normalized(submitter.submit(Buffer.from('%PDF-1.7 nothing')))
  expect(failed.status).toBe('FAILED')
  expect(await used(submitter)).toEqual([1])
})

test('of a hundred requests at once with one document left exactly one passes', async () => {
  const submitter = await submitterWithUsed(plans.free.monthlyDocuments - 1)
  const before = (await whatIsStored(server))['submissions']
  const document = pdf({ text: 'the last document' })
  const responses = await Promise.all(Array.from({ length: 100 }, () => submitter.submit(document)))

  const statuses = responses.map((response) => response.status)
  expect(statuses.filter((status) => status === 402)).toHaveLength(99)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(await used(submitter)).toEqual([plans.free.monthlyDocuments])
  expect((await whatIsStored(server))['submissions']).toBe(Number(before) + 1)
})

test('the free plan is blocked when its documents are used up, and nothing is kept', async () => {
  const submitter = await submitterWithUsed(plans.free.monthlyDocuments)
  const stored = await whatIsStored(server)
  const refusal = await problem(submitter.submit(pdf({ text: 'x' })), 402, 'QUOTA_EXCEEDED')

  expect(refusal.detail).toContain(String(plans.free.monthlyDocuments))
  expect(await whatIsStored(server)).toEqual(stored)
})

test('a paid plan goes on, and the overage is counted', async () => {
  const submitter = await submitterWithUsed(plans.starter.monthlyDocuments, 'starter')
  await normalized(submitter.submit(pdf({ text: 'beyond' })))

  expect(await used(submitter)).toEqual([plans.starter.monthlyDocuments + 1])
})

test('a new cycle starts with a whole quota, and the former one stays as it was', async () => {
  const submitter = await submitterWithUsed(plans.free.monthlyDocuments)
  await problem(submitter.submit(pdf({ text: 'x' })), 402, 'QUOTA_EXCEEDED')
  server.clock.advance(32 * day)
  await normalized(submitter.submit(pdf({ text: 'x' })))

  expect(await used(submitter)).toEqual([plans.free.monthlyDocuments, 1])
})
