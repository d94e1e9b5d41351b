import { Batch, BatchPage, BatchSubmissionPage } from '@pdfnorm/contracts/schema/batch'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdNormalizer } from './held-normalizer.ts'
import { pdf } from './pdf.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import {
  ended,
  formOf,
  normalized,
  problem,
  registerSubmitter,
  type Submitter,
} from './submitter.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const unknown = '0199c8a4-7a10-7d21-8f6e-3a4f1c9be2d7'
const async = { Prefer: 'respond-async' }
const malformed = new TextEncoder().encode('%PDF-1.7\nno more than this')

function post(submitter: Submitter, body: unknown): Promise<Response> {
  return server.fetch('/api/batches', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': submitter.key },
    body: JSON.stringify(body),
  })
}

async function create(submitter: Submitter, body: unknown = {}): Promise<Batch> {
  const response = await post(submitter, body)
  expect(response.status).toBe(201)
  return Batch.parse(await response.json())
}

async function read(submitter: Submitter, batchId: string): Promise<Batch> {
  const response = await submitter.get(`/api/batches/${batchId}`)
  expect(response.status).toBe(200)
  return Batch.parse(await response.json())
}

async function list(submitter: Submitter, query = ''): Promise<BatchPage & { total: string }> {
  const response = await submitter.get(`/api/batches${query}`)
  expect(response.status).toBe(200)
  const total = response.headers.get('x-total-count') ?? ''
  return { ...BatchPage.parse(await response.json()), total }
}

async function paid(): Promise<Submitter> {
  const submitter = await registerSubmitter(server)
  await server.database.query(`update organization set plan_tier = 'pro' where id = $1`, [
    submitter.organization.id,
  ])
  return submitter
}

/** The counters as the submissions themselves have it. */
async function countedAnew(batchId: string) {
  const [counts] = await server.database.query(
    `select count(*)::int as total,
            count(*) filter (where status = 'SUCCESS')::int as completed,
            count(*) filter (where status = 'FAILED')::int as failed,
            count(*) filter (where status = 'REJECTED')::int as rejected
     from submission where batch_id = $1`,
    [batchId],
  )
  return counts
}

test('a new batch is open and empty, with the name that was given or one of its id', async () => {
  const submitter = await registerSubmitter(server)
  const named = await create(submitter, { name: 'invoices-2026-10' })
  expect(named).toEqual({
    batchId: named.batchId,
    name: 'invoices-2026-10',
    status: 'open',
    total: 0,
    completed: 0,
    failed: 0,
    rejected: 0,
    createdAt: named.createdAt,
  })
  expect(await read(submitter, named.batchId)).toEqual(named)

  const unnamed = await create(submitter)
  expect(unnamed.name).toBe(`batch-${unnamed.batchId.slice(0, 8)}`)
})

describe('a batch is not created with', () => {
  const cases: [string, unknown, string][] = [
    ['an empty name', { name: '' }, 'body.name'],
    ['a name over its limit', { name: 'x'.repeat(limits.nameMaxCharacters + 1) }, 'body.name'],
    ['a name that no database stores', { name: 'a\0b' }, 'body.name'],
    ['a name that is a number', { name: 7 }, 'body.name'],
    ['a name that is null', { name: null }, 'body.name'],
    ['an address that is none', { webhook_url: 'here' }, 'body.webhook_url'],
    ['an address of another scheme', { webhook_url: 'ftp://example.com/' }, 'body.webhook_url'],
    [
      'an address over its limit',
      { webhook_url: `https://example.com/${'x'.repeat(limits.urlMaxCharacters)}` },
      'body.webhook_url',
    ],
  ]
  test.each(cases)('%s', async (_case, body, location) => {
    const submitter = await registerSubmitter(server)
    const { errors } = await problem(post(submitter, body), 400, 'VALIDATION_ERROR')
    expect(errors?.map((fault) => fault.location)).toEqual([location])
    expect((await list(submitter)).items).toEqual([])
  })
})

test('a batch counts how each of its submissions ended', async () => {
  const submitter = await paid()
  const { batchId } = await create(submitter)
  const fields = { batch_id: batchId }

  await normalized(submitter.submit(pdf({ text: 'good' }), fields))
  expect(await read(submitter, batchId)).toMatchObject({
    status: 'complete',
    total: 1,
    completed: 1,
  })

  const later = await normalized(submitter.submit(pdf({ text: 'later' }), fields, async), 202)
  const broken = await normalized(submitter.submit(malformed, fields))
  expect(broken.status).toBe('FAILED')
  await ended(submitter, later.submissionId)
  expect(await read(submitter, batchId)).toMatchObject({
    status: 'complete',
    total: 3,
    completed: 2,
    failed: 1,
    rejected: 0,
  })
})

test('a file that is over the plan counts as rejected at once', async () => {
  const submitter = await registerSubmitter(server)
  const { batchId } = await create(submitter)
  const large = pdf({ text: 'large', paddingBytes: plans.free.maxFileBytes })
  expect((await normalized(submitter.submit(large, { batch_id: batchId }))).status).toBe('REJECTED')
  expect(await read(submitter, batchId)).toMatchObject({
    status: 'complete',
    total: 1,
    rejected: 1,
  })
})

test('a submission that has not ended keeps the batch in progress, and a later one reopens it', async () => {
  const normalizer = holdNormalizer()
  await using slow = await startBeside(server, { normalizer })
  const submitter = await registerSubmitter(server)
  const { batchId } = await create(submitter)
  const fields = { batch_id: batchId }
  await normalized(submitter.submit(pdf({ text: 'first' }), fields))
  expect(await read(submitter, batchId)).toMatchObject({ status: 'complete' })

  const request = {
    method: 'POST',
    headers: { 'X-Api-Key': submitter.key, Prefer: 'wait=0' },
    body: formOf(pdf({ text: 'second' }), fields),
  }
  const second = await normalized(slow.fetch('/api/normalize', request), 202)
  expect(await read(submitter, batchId)).toMatchObject({
    status: 'in_progress',
    total: 2,
    completed: 1,
  })
  expect((await list(submitter, '?status=in_progress')).items).toMatchObject([{ batchId }])
  normalizer.release()
  await ended(submitter, second.submissionId)
  expect(await read(submitter, batchId)).toMatchObject({ status: 'complete', completed: 2 })
})

test('a repeated request is counted once, and moves nothing between batches', async () => {
  const submitter = await registerSubmitter(server)
  const [one, other] = [await create(submitter), await create(submitter)]
  const original = pdf({ text: 'repeated' })
  const key = { idempotency_key: 'once' }
  await normalized(submitter.submit(original, { ...key, batch_id: one.batchId }))
  const again = await submitter.submit(original, { ...key, batch_id: other.batchId })
  expect(again.headers.get('idempotent-replayed')).toBe('true')

  expect((await read(submitter, one.batchId)).total).toBe(1)
  expect((await read(submitter, other.batchId)).total).toBe(0)
})

test('the counters are exact when many submissions come and end at the same time', async () => {
  const submitter = await paid()
  const { batchId } = await create(submitter)
  const fields = { batch_id: batchId }
  const submitted = Array.from({ length: 24 }, (_, index) =>
    submitter.submit(
      index % 4 === 3 ? malformed : pdf({ text: `many ${index}` }),
      fields,
      index % 2 === 0 ? async : {},
    ),
  )
  const accepted = (await Promise.all(submitted)).map((response) => response.json())
  for (const body of await Promise.all(accepted)) {
    await ended(submitter, (body as { submissionId: string }).submissionId)
  }

  const batch = await read(submitter, batchId)
  expect(batch).toMatchObject({ status: 'complete', total: 24, completed: 18, failed: 6 })
  expect(batch).toMatchObject((await countedAnew(batchId)) ?? {})
})

test('what is refused is not counted', async () => {
  const submitter = await registerSubmitter(server)
  const { batchId } = await create(submitter)
  const fields = { batch_id: batchId }
  await server.database.query(
    `insert into document_usage (organization_id, cycle_starts_at, documents)
     select id, created_at, $2 from organization where id = $1`,
    [submitter.organization.id, plans.free.monthlyDocuments],
  )
  await problem(submitter.submit(pdf({ text: 'too many' }), fields), 402, 'QUOTA_EXCEEDED')
  await problem(submitter.submit(new TextEncoder().encode('no pdf'), fields), 400, 'INVALID_FILE')
  expect(await read(submitter, batchId)).toMatchObject({ status: 'open', total: 0 })
})

test('batches are listed newest first, by status, and in pages', async () => {
  const submitter = await registerSubmitter(server)
  const created: Batch[] = []
  for (let index = 0; index < 5; index += 1) created.unshift(await create(submitter))
  const [newest] = created
  await normalized(submitter.submit(pdf({ text: 'page' }), { batch_id: newest?.batchId ?? '' }))

  const ids = (page: BatchPage) => page.items.map(({ batchId }) => batchId)
  const all = await list(submitter)
  expect(all).toMatchObject({ page: 1, page_size: 20, total: '5' })
  expect(ids(all)).toEqual(created.map(({ batchId }) => batchId))
  expect(ids(await list(submitter, '?page=2&page_size=2'))).toEqual(ids(all).slice(2, 4))
  expect(ids(await list(submitter, '?status=complete'))).toEqual([newest?.batchId])
  expect(await list(submitter, '?status=open')).toMatchObject({ total: '4' })
  expect(ids(await list(submitter, '?status=in_progress'))).toEqual([])
  expect(await list(submitter, '?page=4&page_size=2')).toMatchObject({
    items: [],
    page: 4,
    page_size: 2,
    total: '5',
  })
})

test('a page leads to the ones beside it', async () => {
  const submitter = await registerSubmitter(server)
  for (let index = 0; index < 3; index += 1) await create(submitter)
  const linksOf = async (query: string) =>
    (await submitter.get(`/api/batches${query}`)).headers.get('link')
  const at = (page: number) => `<${server.url}/api/batches?status=open&page_size=1&page=${page}>`

  expect(await linksOf('?status=open&page_size=1')).toBe(`${at(2)}; rel="next"`)
  expect(await linksOf('?status=open&page_size=1&page=2')).toBe(
    `${at(3)}; rel="next", ${at(1)}; rel="prev"`,
  )
  expect(await linksOf('?status=open&page_size=1&page=9')).toBe(`${at(3)}; rel="prev"`)
  expect(await linksOf('')).toBeNull()
})

test('the submissions of a batch are listed newest first, each as it was answered', async () => {
  const submitter = await paid()
  const { batchId } = await create(submitter)
  const fields = { batch_id: batchId }
  const first = await normalized(submitter.submit(pdf({ text: 'first' }), fields))
  const second = await normalized(submitter.submit(malformed, fields))
  await normalized(submitter.submit(pdf({ text: 'in no batch' })))

  const pageOf = async (query: string) => {
    const response = await submitter.get(`/api/batches/${batchId}/submissions${query}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-total-count')).toBe('2')
    const requestId = response.headers.get('x-request-id') ?? ''
    return { requestId, page: BatchSubmissionPage.parse(await response.json()) }
  }
  const all = await pageOf('')
  expect(all.page).toEqual({
    items: [
      { ...second, requestId: all.requestId },
      { ...first, requestId: all.requestId },
    ],
    page: 1,
    page_size: 20,
  })
  expect((await pageOf('?page=2&page_size=1')).page.items).toMatchObject([
    { submissionId: first.submissionId },
  ])
  expect((await pageOf('?page=3&page_size=1')).page.items).toEqual([])
})

describe('a page out of range is refused:', () => {
  const cases: [string, string][] = [
    ['page=0', 'query.page'],
    ['page=-1', 'query.page'],
    ['page=1.5', 'query.page'],
    ['page=one', 'query.page'],
    ['page=', 'query.page'],
    ['page=1&page=2', 'query.page'],
    [`page=${2 ** 31}`, 'query.page'],
    ['page_size=0', 'query.page_size'],
    [`page_size=${limits.pageSizeMax + 1}`, 'query.page_size'],
  ]
  test.each(cases)('%s', async (query, location) => {
    const submitter = await registerSubmitter(server)
    const { batchId } = await create(submitter)
    for (const path of ['/api/batches', `/api/batches/${batchId}/submissions`]) {
      const refused = submitter.get(`${path}?${query}`)
      const { errors } = await problem(refused, 400, 'VALIDATION_ERROR')
      expect(errors?.map((fault) => fault.location)).toEqual([location])
    }
  })

  test('the last page that can be asked for is empty', async () => {
    const submitter = await registerSubmitter(server)
    expect((await list(submitter, `?page=${2 ** 31 - 1}&page_size=100`)).items).toEqual([])
  })

  test('a status that there is not', async () => {
    const submitter = await registerSubmitter(server)
    const refused = submitter.get('/api/batches?status=COMPLETE')
    const { errors } = await problem(refused, 400, 'VALIDATION_ERROR')
    expect(errors?.map((fault) => fault.location)).toEqual(['query.status'])
  })
})

test("nobody reads, lists or fills another organization's batch", async () => {
  const [owner, stranger] = [await registerSubmitter(server), await registerSubmitter(server)]
  const { batchId } = await create(owner)
  for (const id of [batchId, unknown, '17']) {
    await problem(stranger.get(`/api/batches/${id}`), 404, 'NOT_FOUND')
    await problem(stranger.get(`/api/batches/${id}/submissions`), 404, 'NOT_FOUND')
  }
  expect((await list(stranger)).total).toBe('0')

  const fields = { batch_id: batchId }
  await problem(stranger.submit(pdf({ text: 'foreign' }), fields), 400, 'INVALID_BATCH')
  expect(await read(owner, batchId)).toMatchObject({ status: 'open', total: 0 })
})

test('a key that may only read creates no batch, one that may only normalize lists none', async () => {
  const submitter = await registerSubmitter(server)
  const reading = { ...submitter, key: (await submitter.organization.createKey(['read'])).fullKey }
  await problem(post(reading, {}), 403, 'INSUFFICIENT_SCOPE')
  expect((await list(submitter)).items).toEqual([])

  const { fullKey } = await submitter.organization.createKey(['normalize'])
  const listed = submitter.get('/api/batches', { 'X-Api-Key': fullKey })
  await problem(listed, 403, 'INSUFFICIENT_SCOPE')
})
