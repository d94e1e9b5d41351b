import { SubmissionEventPage } from '@pdfnorm/contracts/schema/webhook-event'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { ended, normalized, problem, registerSubmitter, type Submitter } from './submitter.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const malformed = new TextEncoder().encode('%PDF-1.7\nno more than this')
const longAgo = '2026-01-01T00:00:00Z'

test('the ends of submissions are listed oldest first, also of those that were answered at once', async () => {
  const submitter = await registerSubmitter(server)
  const good = await normalized(submitter.submit(pdf({ text: 'An event' })))
  const bad = await normalized(submitter.submit(malformed))
  const later = await normalized(
    submitter.submit(pdf({ text: 'A later event' }), {}, { Prefer: 'respond-async' }),
    202,
  )
  const record = await ended(submitter, later.submissionId)

  const { items, total } = await eventsOf(submitter, longAgo)
  expect(items).toMatchObject([
    { event: 'normalization.success', data: { submissionId: good.submissionId } },
    {
      event: 'normalization.failure',
      data: { submissionId: bad.submissionId, outputHash: null, failure: bad.failure },
    },
    { event: 'normalization.success', timestamp: record.completedAt },
  ])
  const { createdAt: _, completedAt: __, apiVersion, ...data } = record
  expect(items[2]).toMatchObject({ apiVersion, data })
  expect(new Set(items.map(({ webhookId }) => webhookId)).size).toBe(1)
  expect(total).toBe('3')

  expect((await eventsOf(submitter, String(record.completedAt))).items).toEqual([items[2]])
  expect((await eventsOf(submitter, longAgo, '&page=2&page_size=2')).items).toEqual([items[2]])
  expect((await eventsOf(submitter, '2099-01-01T00:00:00Z')).items).toEqual([])
  for (const moment of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']) {
    await eventsOf(submitter, moment, '&page=2147483647&page_size=100')
  }
})

test('what has not ended is not listed, and nobody sees the events of another organization', async () => {
  const [one, other] = await Promise.all([registerSubmitter(server), registerSubmitter(server)])
  await normalized(one.submit(pdf({ text: 'Mine alone' })))
  expect((await eventsOf(one, longAgo)).items).toHaveLength(1)
  expect(await eventsOf(other, longAgo)).toMatchObject({ items: [], total: '0' })
})

test('events take the scope read, and a moment', async () => {
  const submitter = await registerSubmitter(server)
  const { fullKey } = await submitter.organization.createKey(['normalize'])
  const headers = { 'X-Api-Key': fullKey }
  await problem(
    server.fetch(`/api/events?after=${longAgo}`, { headers }),
    403,
    'INSUFFICIENT_SCOPE',
  )
  await problem(server.fetch(`/api/events?after=${longAgo}`), 401, 'MISSING_CREDENTIALS')
  for (const query of ['', '?after=', '?after=yesterday', `?after=${longAgo}&page_size=101`]) {
    const refused = await problem(submitter.get(`/api/events${query}`), 400, 'VALIDATION_ERROR')
    expect(refused.errors?.at(0)?.location).toMatch(/^query\./)
  }
})

async function eventsOf(
  submitter: Submitter,
  after: string,
  more = '',
): Promise<SubmissionEventPage & { total: string }> {
  const response = await submitter.get(`/api/events?after=${encodeURIComponent(after)}${more}`)
  expect(response.status).toBe(200)
  const total = response.headers.get('x-total-count') ?? ''
  return { ...SubmissionEventPage.parse(await response.json()), total }
}
