import { limits } from '@pdfnorm/contracts/schema/limit'
import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdNormalizer } from './held-normalizer.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  normalized,
  problem,
  registerSubmitter,
  type Submitter,
  whatIsStored,
} from './submitter.ts'

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const replayedOf = (response: Response) => response.headers.get('idempotent-replayed')

test('the same key and file answer with the same submission, without quota or work', async () => {
  const document = pdf({ text: 'once' })
  const first = await submitter.submit(document, { idempotency_key: 'once' })
  expect(replayedOf(first)).toBeNull()
  const body = await normalized(first)
  const stored = await whatIsStored(server)

  const second = await submitter.submit(document, { idempotency_key: 'once' })
  expect(replayedOf(second)).toBe('true')
  expect({ ...(await normalized(second)), requestId: body.requestId }).toEqual(body)
  expect(await whatIsStored(server)).toEqual(stored)
})

test('the header Idempotency-Key is the same as the field', async () => {
  const document = pdf({ text: 'header' })
  const first = await normalized(
    submitter.submit(document, {}, { 'Idempotency-Key': 'in the header' }),
  )
  const second = await normalized(submitter.submit(document, { idempotency_key: 'in the header' }))
  const both = await normalized(
    submitter.submit(
      document,
      { idempotency_key: 'in the header' },
      { 'Idempotency-Key': 'in the header' },
    ),
  )

  expect(second.submissionId).toBe(first.submissionId)
  expect(both.submissionId).toBe(first.submissionId)
})

test('a header and a field that differ, and keys that are too long or empty, are refused', async () => {
  const document = pdf({ text: 'refused' })
  const stored = await whatIsStored(server)
  const differing = submitter.submit(
    document,
    { idempotency_key: 'one' },
    { 'Idempotency-Key': 'two' },
  )
  const tooLong = 'k'.repeat(limits.idempotencyKeyMaxCharacters + 1)

  await problem(differing, 400, 'VALIDATION_ERROR')
  await problem(submitter.submit(document, { idempotency_key: tooLong }), 400, 'VALIDATION_ERROR')
  await problem(submitter.submit(document, { idempotency_key: '' }), 400, 'VALIDATION_ERROR')
  await problem(
    submitter.submit(document, {}, { 'Idempotency-Key': tooLong }),
    400,
    'VALIDATION_ERROR',
  )
  expect(await whatIsStored(server)).toEqual(stored)
})

test('the same key with another file is refused and keeps nothing', async () => {
  await normalized(submitter.submit(pdf({ text: 'this file' }), { idempotency_key: 'taken' }))
  const stored = await whatIsStored(server)

  await problem(
    submitter.submit(pdf({ text: 'another file' }), { idempotency_key: 'taken' }),
    422,
    'IDEMPOTENCY_KEY_REUSED',
  )
  expect(await whatIsStored(server)).toEqual(stored)
})

test('of fifty requests that arrive at once one is done, and all get its submission', async () => {
  const own = await registerSubmitter(server)
  const document = pdf({ text: 'fifty' })
  const before = await whatIsStored(server)
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => own.submit(document, { idempotency_key: 'fifty' })),
  )

  const bodies = await Promise.all(
    responses.map(async (response) => NormalizeResponse.parse(await response.json())),
  )
  const ids = new Set(bodies.map((body) => body.submissionId))
  expect(responses.every((response) => response.ok)).toBe(true)
  expect(ids.size).toBe(1)
  expect(responses.filter((response) => replayedOf(response) === 'true')).toHaveLength(49)

  const { submissions, documents, keys, jobs } = before as Record<string, number>
  expect(await whatIsStored(server)).toMatchObject({
    submissions: (submissions ?? 0) + 1,
    documents: (documents ?? 0) + 1,
    keys: (keys ?? 0) + 1,
    // The job that rested behind the run was withdrawn with its end.
    jobs: jobs ?? 0,
  })
})

test('a repeat while the first still runs is answered with its current state', async () => {
  const normalizer = holdNormalizer()
  const holding = await startTestServer({ normalizer })
  const own = await registerSubmitter(holding)
  const document = pdf({ text: 'running' })
  const first = own.submit(document, { idempotency_key: 'running' })
  await normalizer.arrived(1)
  const repeat = await own.submit(document, { idempotency_key: 'running' })

  expect(replayedOf(repeat)).toBe('true')
  const body = await normalized(repeat, 202)
  expect(body.status).toBe('IN_PROGRESS')
  normalizer.release()
  expect((await normalized(first)).submissionId).toBe(body.submissionId)
  await holding[Symbol.asyncDispose]()
})

test('keys of organizations do not meet', async () => {
  const other = await registerSubmitter(server)
  const document = pdf({ text: 'two organizations' })
  const mine = await normalized(submitter.submit(document, { idempotency_key: 'same' }))
  const theirs = await other.submit(document, { idempotency_key: 'same' })

  expect(replayedOf(theirs)).toBeNull()
  expect((await normalized(theirs)).submissionId).not.toBe(mine.submissionId)
})

test('a repeat passes also when the quota is used up; a refused request does not take its key', async () => {
  const own = await registerSubmitter(server)
  const document = pdf({ text: 'the last one' })
  const first = await normalized(own.submit(document, { idempotency_key: 'last' }))
  await server.database.query(
    'update document_usage set documents = $1 where organization_id = $2',
    [plans.free.monthlyDocuments, own.organization.id],
  )

  const repeat = await normalized(own.submit(document, { idempotency_key: 'last' }))
  expect(repeat.submissionId).toBe(first.submissionId)

  const refused = own.submit(document, { idempotency_key: 'refused' })
  await problem(refused, 402, 'QUOTA_EXCEEDED')
  await server.database.query(
    'update document_usage set documents = 0 where organization_id = $1',
    [own.organization.id],
  )
  const free = await own.submit(pdf({ text: 'another' }), { idempotency_key: 'refused' })
  expect(replayedOf(free)).toBeNull()
  await normalized(free)
})

test('a key lives for 24 hours from its first use', async () => {
  const own = await registerSubmitter(server)
  const document = pdf({ text: 'a day' })
  const first = await normalized(own.submit(document, { idempotency_key: 'day' }))

  server.clock.advance(limits.idempotencySeconds * 1000 - 60_000)
  const within = await normalized(own.submit(document, { idempotency_key: 'day' }))
  server.clock.advance(61_000)
  const later = await normalized(own.submit(document, { idempotency_key: 'day' }))

  expect(within.submissionId).toBe(first.submissionId)
  expect(later.submissionId).not.toBe(first.submissionId)
})
