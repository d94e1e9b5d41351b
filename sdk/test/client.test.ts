import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { routes } from '../src/generated/routes.ts'
import { Pdfnorm, PdfnormError } from '../src/index.ts'
import { problem, scriptedService } from './scripted-service.ts'

const id = '0199c8a4-7a10-7d21-8f6e-3a4f1c9be2d7'

test('everything that a key can call has a method', () => {
  const methods = Object.getOwnPropertyNames(Pdfnorm.prototype)
  // An operation's name tells what it takes; the method's argument does.
  const operations = Object.keys(routes).map((id) => id.replace('normalizePdf', 'normalize'))
  expect(methods).toEqual(expect.arrayContaining(operations))
})

test('a refusal is an error with its code, its status and its whole problem', async () => {
  const { baseUrl } = await scriptedService(() => problem(404, 'NOT_FOUND'))
  const error: unknown = await client(baseUrl)
    .getSubmission(id)
    .catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(PdfnormError)
  expect(error).toMatchObject({
    name: 'NotFoundError',
    code: 'NOT_FOUND',
    status: 404,
    requestId: 'req-1',
    message: 'Refused with NOT_FOUND',
    retryAfter: null,
    problem: { title: 'Refused' },
  })
})

test('a code that this version does not know is passed on', async () => {
  const { baseUrl } = await scriptedService(() => problem(418, 'TEAPOT'))
  await expect(client(baseUrl).getBatch(id)).rejects.toMatchObject({ code: 'TEAPOT', status: 418 })
})

test('an answer that is no problem document is told apart from a refusal', async () => {
  const { baseUrl } = await scriptedService(() => ({
    status: 404,
    headers: { 'content-type': 'text/html', 'x-request-id': 'proxy-7' },
    body: '<h1>Not here</h1>',
  }))
  await expect(client(baseUrl).getBatch(id)).rejects.toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    status: 404,
    requestId: 'proxy-7',
    problem: null,
  })
})

test('reading is repeated after a broken connection and after a fault of the service', async () => {
  const { baseUrl, received } = await scriptedService(
    () => 'drop',
    () => problem(500, 'INTERNAL_ERROR'),
    () => ({ body: { batchId: id } }),
  )
  expect(await client(baseUrl).getBatch(id)).toEqual({ batchId: id })
  expect(received).toHaveLength(3)
})

test('repeating ends after two repetitions, or as many as the caller says', async () => {
  const { baseUrl, received } = await scriptedService(() => problem(500, 'INTERNAL_ERROR'))
  await expect(client(baseUrl).getBatch(id)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
  expect(received).toHaveLength(3)
  await expect(client(baseUrl).getBatch(id, { maxRetries: 0 })).rejects.toThrow(PdfnormError)
  expect(received).toHaveLength(4)
})

test.each([
  [400, 'VALIDATION_ERROR'],
  [401, 'INVALID_API_KEY'],
  [402, 'QUOTA_EXCEEDED'],
  [409, 'ALREADY_MEMBER'],
  [501, 'NOT_IMPLEMENTED'],
])('a refusal with %d is not repeated', async (status, code) => {
  const { baseUrl, received } = await scriptedService(() => problem(status, code))
  await expect(client(baseUrl).getBatch(id)).rejects.toMatchObject({ code })
  expect(received).toHaveLength(1)
})

test('a batch is not created twice when the first answer is lost', async () => {
  const { baseUrl, received } = await scriptedService(() => 'drop')
  await expect(client(baseUrl).createBatch({ name: 'b' })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    status: null,
  })
  expect(received).toHaveLength(1)
})

test('a batch is created after a refusal that says that nothing was begun', async () => {
  const { baseUrl, received } = await scriptedService(
    () => problem(429, 'RATE_LIMITED', { 'retry-after': 0 }),
    () => ({ status: 201, body: { batchId: id } }),
  )
  expect(await client(baseUrl).createBatch({ name: 'b' })).toEqual({ batchId: id })
  expect(received.map(({ body }) => body.toString())).toEqual(['{"name":"b"}', '{"name":"b"}'])
})

test('nobody waits an hour inside a call: the error says when to come back', async () => {
  const { baseUrl, received } = await scriptedService(() =>
    problem(429, 'RATE_LIMITED', { 'retry-after': 3600 }),
  )
  await expect(client(baseUrl).getBatch(id)).rejects.toMatchObject({ retryAfter: 3600 })
  expect(received).toHaveLength(1)
})

test('Retry-After may be a date', async () => {
  const { baseUrl } = await scriptedService(() =>
    problem(503, 'UNAVAILABLE', { 'retry-after': new Date(0).toUTCString() }),
  )
  const reading = client(baseUrl).getBatch(id, { maxRetries: 0 })
  await expect(reading).rejects.toMatchObject({ retryAfter: 0 })
})

test('a service that does not answer ends the call at its timeout', async () => {
  const { baseUrl } = await scriptedService(() => 'hang')
  const reading = client(baseUrl).getBatch(id, { timeoutMs: 30, maxRetries: 0 })
  await expect(reading).rejects.toMatchObject({ code: 'TIMED_OUT', status: null })
})

test("an aborted call ends with the signal's reason", async () => {
  const controller = new AbortController()
  const { baseUrl } = await scriptedService(() => {
    controller.abort(new Error('no longer wanted'))
    return 'hang'
  })
  const reading = client(baseUrl).getBatch(id, { signal: controller.signal })
  await expect(reading).rejects.toThrow('no longer wanted')
})

test('lists are asked for by page, and values are encoded into the path', async () => {
  const { baseUrl, received } = await scriptedService(() => ({
    body: { items: [], page: 2, page_size: 5 },
  }))
  const pdfnorm = client(`${baseUrl}/`)
  expect(await pdfnorm.listBatches({ page: 2, page_size: 5, status: 'open' })).toEqual({
    items: [],
    page: 2,
    page_size: 5,
  })
  await pdfnorm.listBatchSubmissions('a/../b?c')
  expect(received.map(({ url }) => url)).toEqual([
    '/api/batches?page=2&page_size=5&status=open',
    '/api/batches/a%2F..%2Fb%3Fc/submissions',
  ])
})

test.each(['', '.', '..'])('%j is not taken for an id: it would lead elsewhere', async (value) => {
  const { baseUrl, received } = await scriptedService(() => ({ body: {} }))
  await expect(client(baseUrl).getBatch(value)).rejects.toThrow(TypeError)
  await expect(client(baseUrl).downloadArtifact(value).bytes()).rejects.toThrow(TypeError)
  expect(received).toHaveLength(0)
})

test.each(['localhost:3000', 'pdfnorm.example', 'ftp://pdfnorm.example', 'https://', ''])(
  '%j is not taken for the address of a service',
  (baseUrl) => {
    expect(() => new Pdfnorm({ baseUrl })).toThrow(TypeError)
  },
)

test('an error says why the service could not be reached', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  const nobody = new Pdfnorm({ baseUrl: `http://127.0.0.1:${port}`, retryDelayMs: 1 })
  await expect(nobody.getKeySet()).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

test('a hash is taken as records write it and as paths take it', async () => {
  const hash = 'ab'.repeat(32)
  const { baseUrl, received } = await scriptedService(() => ({ body: {} }))
  const pdfnorm = client(baseUrl)
  await pdfnorm.getReport(`sha256:${hash}`)
  await pdfnorm.getAttestation(hash.toUpperCase())
  await pdfnorm.checkAttestation(`sha256:${hash}`)
  await pdfnorm.getCertificate(hash)
  expect(received.map(({ url }) => url)).toEqual([
    `/api/reports/${hash}`,
    `/api/attestations/${hash}`,
    `/api/verify/${hash}`,
    `/api/certificates/${hash}`,
  ])
})

test('a downloaded file is what its hash names', async () => {
  const pdf = Buffer.from('%PDF-1.7 …')
  const hash = createHash('sha256').update(pdf).digest('hex')
  const { baseUrl, received } = await scriptedService(() => ({
    headers: { 'content-type': 'application/pdf' },
    body: pdf,
  }))

  const bytes = await client(baseUrl).downloadArtifact(`sha256:${hash}`).bytes()
  expect(Buffer.from(bytes)).toEqual(pdf)
  expect(received[0]?.url).toBe(`/api/artifacts/${hash}`)
  await expect(client(baseUrl).downloadArtifact('0'.repeat(64)).bytes()).rejects.toMatchObject({
    code: 'HASH_MISMATCH',
  })
})

test('the published keys can be read without a key', async () => {
  const { baseUrl, received } = await scriptedService(() => ({ body: { keys: [] } }))
  expect(await new Pdfnorm({ baseUrl }).getKeySet()).toEqual({ keys: [] })
  expect(received[0]?.headers).not.toHaveProperty('x-api-key')
})

function client(baseUrl: string): Pdfnorm {
  return new Pdfnorm({ baseUrl, apiKey: 'pdfnorm_key', retryDelayMs: 1 })
}
