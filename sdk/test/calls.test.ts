import { expect, test } from 'vitest'
import { type Logger, Pdfnorm } from '../src/index.ts'
import { type Answer, problem, type Received, scriptedService } from './scripted-service.ts'

const key = 'pdfnorm_8f3kSecretSecretSecretSecretSecret'

test('the answer itself can be had beside its data', async () => {
  const { baseUrl } = await scriptedService(() => ({
    headers: { 'x-request-id': 'req-7', ratelimit: '"read";r=599;t=60' },
    body: { batchId: 'b' },
  }))
  const { data, response } = await client(baseUrl).getBatch('b').withResponse()
  expect(data).toEqual({ batchId: 'b' })
  expect(response.headers.get('x-request-id')).toBe('req-7')
  expect(response.headers.get('ratelimit')).toContain('r=599')
})

test('a refusal of a call whose answer is wanted is told once', async () => {
  const { baseUrl } = await scriptedService(() => problem(404, 'NOT_FOUND'))
  const call = client(baseUrl).getBatch('b').withResponse()
  await expect(call).rejects.toMatchObject({ name: 'NotFoundError' })
})

test.each([
  [400, 'VALIDATION_ERROR', 'BadRequestError'],
  [401, 'INVALID_API_KEY', 'AuthenticationError'],
  [402, 'QUOTA_EXCEEDED', 'QuotaExceededError'],
  [403, 'INSUFFICIENT_SCOPE', 'PermissionError'],
  [404, 'EXPIRED', 'NotFoundError'],
  [409, 'ALREADY_MEMBER', 'ConflictError'],
  [413, 'FILE_TOO_LARGE', 'FileTooLargeError'],
  [415, 'UNSUPPORTED_MEDIA_TYPE', 'PdfnormError'],
  [422, 'IDEMPOTENCY_KEY_REUSED', 'IdempotencyError'],
  [429, 'RATE_LIMITED', 'RateLimitError'],
  [500, 'INTERNAL_ERROR', 'ServiceError'],
  [503, 'UNAVAILABLE', 'ServiceError'],
])('%d %s is a %s', async (status, code, name) => {
  const { baseUrl } = await scriptedService(() => problem(status, code))
  const reading = client(baseUrl, { maxRetries: 0 }).getBatch('b')
  await expect(reading).rejects.toMatchObject({ name, code, status })
})

test('hooks see every attempt and answer, and may add headers', async () => {
  const seen: string[] = []
  const { baseUrl, received } = await scriptedService(
    () => problem(503, 'UNAVAILABLE', { 'retry-after': 0 }),
    () => ({ body: { batchId: 'b' } }),
  )
  const pdfnorm = client(baseUrl, {
    onRequest: (request) => {
      request.headers.set('traceparent', `trace-${request.retries}`)
    },
    onResponse: async (response, { method, retries }) => {
      seen.push(`${method} ${retries} ${response.status}`)
    },
  })
  await pdfnorm.getBatch('b')
  expect(received.map(({ headers }) => headers['traceparent'])).toEqual(['trace-0', 'trace-1'])
  expect(seen).toEqual(['GET 0 503', 'GET 1 200'])
})

test('what a hook throws ends the call, and nothing is sent', async () => {
  const { baseUrl, received } = await scriptedService(() => ({ body: {} }))
  const pdfnorm = client(baseUrl, {
    onRequest: () => {
      throw new Error('not today')
    },
  })
  await expect(pdfnorm.getBatch('b')).rejects.toThrow('not today')
  expect(received).toHaveLength(0)
})

test('logs tell what is sent, never the key', async () => {
  const lines: unknown[] = []
  const tell: Logger['debug'] = (...line) => void lines.push(line)
  const { baseUrl } = await scriptedService(
    () => problem(503, 'UNAVAILABLE', { 'retry-after': 0 }),
    () => ({ body: { batchId: 'b' } }),
  )
  await client(baseUrl, { logger: { debug: tell, warn: tell } }).getBatch('b')

  const text = JSON.stringify(lines)
  expect(text).toMatch(/GET http.*\/api\/batches\/b → 503 in \d+ ms/)
  expect(text).toContain('UNAVAILABLE, trying again')
  expect(text).toContain('"x-api-key":"pdfnorm_8f3kSecr…"')
  expect(text).not.toContain(key)
})

test('every request says for which version of the interface its answer is read', async () => {
  const { baseUrl, received } = await scriptedService(() => ({ body: {} }))
  await client(baseUrl).getBatch('b')
  expect(received[0]?.headers['api-version']).toBe('2026-11-01')
})

test('a redirect is not followed with the key: the error says where it leads', async () => {
  const { baseUrl, received } = await scriptedService(() => ({
    status: 308,
    headers: { location: 'https://elsewhere.example/' },
  }))
  const reading = client(baseUrl).getBatch('b')
  await expect(reading).rejects.toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    message: expect.stringContaining('https://elsewhere.example/'),
  })
  expect(received).toHaveLength(1)
})

test('an upload is not sent after a redirect either, and not sent again', async () => {
  const { baseUrl, received } = await scriptedService(() => ({
    status: 307,
    headers: { location: 'https://elsewhere.example/' },
  }))
  const upload = client(baseUrl).normalize(new TextEncoder().encode('%PDF-1.7 …'))
  await expect(upload).rejects.toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    message: expect.stringContaining('baseUrl'),
  })
  expect(received).toHaveLength(1)
})

test('an answer that breaks off is asked for again', async () => {
  const { baseUrl, received } = await scriptedService(
    () => ({ body: { batchId: 'b' }, cutAfter: 4 }),
    () => ({ body: { batchId: 'b' } }),
  )
  expect(await client(baseUrl).getBatch('b')).toEqual({ batchId: 'b' })
  expect(received).toHaveLength(2)
})

test('a success that is not JSON is not what the service promises', async () => {
  const { baseUrl, received } = await scriptedService(() => ({ body: '<h1>Hello</h1>' }))
  const reading = client(baseUrl).getBatch('b')
  await expect(reading).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 })
  expect(received).toHaveLength(1)
})

test('a list is awaited by page and iterated to its end', async () => {
  const { baseUrl, received } = await scriptedService(pageOf(5))
  const pdfnorm = client(baseUrl)
  expect(await pdfnorm.listBatches({ page: 2, page_size: 2 })).toMatchObject({
    items: [{ batchId: '2' }, { batchId: '3' }],
    page: 2,
  })
  const ids: string[] = []
  for await (const { batchId } of pdfnorm.listBatches({ page_size: 2, status: 'open' }))
    ids.push(batchId)
  expect(ids).toEqual(['0', '1', '2', '3', '4'])
  expect(received.slice(1).map(({ url }) => url)).toEqual([
    '/api/batches?page_size=2&status=open',
    '/api/batches?page_size=2&status=open&page=2',
    '/api/batches?page_size=2&status=open&page=3',
  ])
})

test('of a list as much is asked for as is wanted', async () => {
  const { baseUrl, received } = await scriptedService(pageOf(100))
  const batches = await client(baseUrl).listBatches({ page_size: 2 }).toArray({ limit: 3 })
  expect(batches.map(({ batchId }) => batchId)).toEqual(['0', '1', '2'])
  expect(received).toHaveLength(2)
})

test('an entry that a new one has pushed onto the next page comes once', async () => {
  const { baseUrl } = await scriptedService(
    () => page(1, ['b', 'a']),
    () => page(2, ['a', '0']),
    () => page(3, []),
  )
  const batches = await client(baseUrl).listBatches({ page_size: 2 }).toArray({ limit: 10 })
  expect(batches.map(({ batchId }) => batchId)).toEqual(['b', 'a', '0'])
})

test('submissions of a batch are iterated too', async () => {
  const { baseUrl } = await scriptedService(() => ({
    body: { items: [{ submissionId: 's' }], page: 1, page_size: 20 },
  }))
  const submissions = await client(baseUrl).listBatchSubmissions('b').toArray({ limit: 9 })
  expect(submissions).toEqual([{ submissionId: 's' }])
})

test('a client needs an address', () => {
  expect(() => new Pdfnorm({ apiKey: key })).toThrow('PDFNORM_BASE_URL')
})

function client(baseUrl: string, options: ConstructorParameters<typeof Pdfnorm>[0] = {}): Pdfnorm {
  return new Pdfnorm({ baseUrl, apiKey: key, retryDelayMs: 1, ...options })
}

/** A list of so many batches. */
function pageOf(count: number): (request: Received) => Answer {
  return ({ url }) => {
    const query = new URL(url, 'http://localhost').searchParams
    const size = Number(query.get('page_size') ?? 20)
    const number = Number(query.get('page') ?? 1)
    const ids = Array.from({ length: count }, (_, index) => String(index))
    return page(number, ids.slice((number - 1) * size, number * size), size)
  }
}

function page(number: number, ids: string[], size = 2): Answer {
  return { body: { items: ids.map((batchId) => ({ batchId })), page: number, page_size: size } }
}
