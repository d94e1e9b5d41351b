import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type PdfSource, Pdfnorm } from '../src/index.ts'
import { type Answer, formOf, problem, scriptedService } from './scripted-service.ts'

const pdf = new TextEncoder().encode('%PDF-1.7 …')
const submissionId = '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'
const unavailable = problem(503, 'UNAVAILABLE', { 'retry-after': 0 })

test('a PDF is sent as a form with the key, and what is not given is not sent', async () => {
  const { baseUrl, received } = await scriptedService(() => response('SUCCESS'))
  const result = await client(baseUrl).normalize(pdf, {
    linearize: false,
    signed_pdf_policy: 'strip',
  })

  const form = await formOf(received[0])
  expect(result).toMatchObject({ submissionId, status: 'SUCCESS' })
  expect(received[0]).toMatchObject({ method: 'POST', url: '/api/normalize' })
  expect(received[0]?.headers['x-api-key']).toBe('pdfnorm_key')
  expect([...form.keys()].sort()).toEqual([
    'file',
    'idempotency_key',
    'linearize',
    'signed_pdf_policy',
  ])
  expect(form.get('linearize')).toBe('false')
  expect(await fileOf(form)).toEqual(pdf)
})

test('an upload has an idempotency key of its own, the same at every attempt', async () => {
  const { baseUrl, received } = await scriptedService(
    () => unavailable,
    () => 'drop',
    () => response('SUCCESS'),
  )
  const { idempotencyKey } = await client(baseUrl).normalize(pdf)

  const keys = await Promise.all(
    received.map(async (request) => (await formOf(request)).get('idempotency_key')),
  )
  expect(keys).toEqual([idempotencyKey, idempotencyKey, idempotencyKey])
  const other = await client(baseUrl).normalize(pdf)
  expect(other.idempotencyKey).not.toBe(idempotencyKey)
})

test("the caller's own idempotency key is taken", async () => {
  const { baseUrl, received } = await scriptedService(() => response('SUCCESS'))
  const result = await client(baseUrl).normalize(pdf, { idempotency_key: 'order-4711' })

  expect(result.idempotencyKey).toBe('order-4711')
  expect((await formOf(received[0])).get('idempotency_key')).toBe('order-4711')
})

const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-upload-'))
const path = join(folder, 'in.pdf')
await writeFile(path, pdf)
afterAll(() => rm(folder, { recursive: true }))

test.each<[string, PdfSource]>([
  ['a path', path],
  ['a file: address', pathToFileURL(path)],
  ['bytes', pdf],
  [
    'the bytes of a Buffer that is a part of another',
    Buffer.concat([pdf, pdf]).subarray(pdf.length),
  ],
  ['a Response', new Response(pdf)],
  ['a function that gives a path', () => path],
  ['a Blob', new Blob([pdf])],
  ['an ArrayBuffer', pdf.slice().buffer],
  ['a web stream', new Blob([pdf]).stream()],
  ['a stream of Node', Readable.from([pdf.subarray(0, 3), pdf.subarray(3)])],
  ['a function that gives a stream', () => new Blob([pdf]).stream()],
])('%s can be uploaded', async (_name, source) => {
  const { baseUrl, received } = await scriptedService(() => response('SUCCESS'))
  await client(baseUrl).normalize(source, { region: 'eu-central-1' })

  const form = await formOf(received[0])
  expect(await fileOf(form)).toEqual(pdf)
  expect(form.get('region')).toBe('eu-central-1')
})

test('an upload whose stream is used up is not repeated', async () => {
  const { baseUrl, received } = await scriptedService(() => unavailable)
  const upload = client(baseUrl).normalize(new Blob([pdf]).stream())

  await expect(upload).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
  expect(received).toHaveLength(1)
})

test('an upload whose stream can be made anew is repeated', async () => {
  const { baseUrl, received } = await scriptedService(
    () => unavailable,
    () => response('SUCCESS'),
  )
  await client(baseUrl).normalize(() => new Blob([pdf]).stream())

  const files = await Promise.all(received.map(async (request) => fileOf(await formOf(request))))
  expect(files).toEqual([pdf, pdf])
})

test('a stream that fails ends the upload with its own reason, and is not read again', async () => {
  let reads = 0
  const { baseUrl } = await scriptedService(() => response('SUCCESS'))
  async function* broken() {
    reads++
    yield pdf
    throw new Error('the disk is gone')
  }
  await expect(client(baseUrl).normalize(() => broken())).rejects.toThrow('the disk is gone')
  expect(reads).toBe(1)
})

test('a file that is not there is its own error, and is not looked for twice', async () => {
  const { baseUrl } = await scriptedService(() => response('SUCCESS'))
  const upload = client(baseUrl).normalize(join(folder, 'missing.pdf'))
  await expect(upload).rejects.toMatchObject({ code: 'ENOENT' })
})

test('the answer of a failed download is no PDF', async () => {
  const { baseUrl, received } = await scriptedService(() => response('SUCCESS'))
  const upload = client(baseUrl).normalize(new Response('gone', { status: 404 }))
  await expect(upload).rejects.toThrow('404')
  expect(received).toHaveLength(0)
})

test('what is no PDF at all is told before anything is sent', async () => {
  const { baseUrl, received } = await scriptedService(() => response('SUCCESS'))
  const notAPdf: PdfSource = JSON.parse('{"path":"in.pdf"}')
  const upload = client(baseUrl).normalize(notAPdf)
  await expect(upload).rejects.toThrow(TypeError)
  expect(received).toHaveLength(0)
})

test('an error says with which key the upload can be taken up again', async () => {
  const { baseUrl } = await scriptedService(() => 'drop')
  const lost = client(baseUrl).normalize(pdf, { idempotency_key: 'order-4711' })
  await expect(lost).rejects.toMatchObject({
    name: 'ConnectionError',
    idempotencyKey: 'order-4711',
    submissionId: null,
  })
})

test('the service is asked to answer at once only when the caller wants it', async () => {
  const { baseUrl, received } = await scriptedService(() => response('PENDING'))
  await client(baseUrl).normalize(pdf, { respondAsync: true })
  await client(baseUrl).normalize(pdf)
  expect(received.map(({ headers }) => headers['prefer'])).toEqual(['respond-async', undefined])
})

test('a replayed submission says so', async () => {
  const { baseUrl } = await scriptedService(() => ({
    ...response('SUCCESS'),
    headers: { 'idempotent-replayed': 'true' },
  }))
  expect(await client(baseUrl).normalize(pdf)).toMatchObject({ replayed: true })
})

test('a rejected document is an answer, not an error', async () => {
  const failure = { code: 'ENCRYPTED_PDF', message: 'Encrypted.', stage: null }
  const { baseUrl } = await scriptedService(() => response('REJECTED', { failure }))
  expect(await client(baseUrl).normalize(pdf)).toMatchObject({ status: 'REJECTED', failure })
})

test.each(['SUCCESS', 'FAILED', 'REJECTED'])('waiting ends on %s', async (status) => {
  const { baseUrl, received } = await scriptedService(
    () => ({ ...response('PENDING'), status: 202, headers: { 'retry-after': 0 } }),
    () => record('PENDING'),
    () => record('IN_PROGRESS'),
    () => record(status),
  )
  const submission = await client(baseUrl).normalizeAndWait(pdf, { pollMs: 1 })

  expect(submission).toMatchObject({ submissionId, status })
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /api/normalize',
    ...Array.from({ length: 3 }, () => `GET /api/submissions/${submissionId}`),
  ])
})

test('nobody looks before the service says that it is worth it', async () => {
  const { baseUrl, received } = await scriptedService(() => ({
    ...response('PENDING'),
    status: 202,
    headers: { 'retry-after': 3600 },
  }))
  const waiting = client(baseUrl).normalizeAndWait(pdf, { deadlineMs: 1000 })
  await expect(waiting).rejects.toMatchObject({
    name: 'TimeoutError',
    code: 'TIMED_OUT',
    submissionId,
    idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(received).toHaveLength(1)
})

test('while waiting the service says when the next look is worth it', async () => {
  const { baseUrl, received } = await scriptedService(() => ({
    ...record('PENDING'),
    headers: { 'retry-after': 3600 },
  }))
  const looks: string[] = []
  const waiting = client(baseUrl).waitForCompletion(
    { submissionId },
    {
      deadlineMs: 1000,
      pollMs: 1,
      onLook: ({ status }) => looks.push(status),
    },
  )
  await expect(waiting).rejects.toMatchObject({ code: 'TIMED_OUT' })
  expect(received).toHaveLength(1)
  expect(looks).toEqual(['PENDING'])
})

test('waiting ends at its deadline', async () => {
  const { baseUrl } = await scriptedService(() => record('IN_PROGRESS'))
  const waiting = client(baseUrl).waitForCompletion(submissionId, { deadlineMs: 20, pollMs: 5 })
  await expect(waiting).rejects.toMatchObject({ code: 'TIMED_OUT' })
})

test('waiting ends when it is aborted', async () => {
  const controller = new AbortController()
  const { baseUrl } = await scriptedService(() => {
    controller.abort(new Error('no longer wanted'))
    return record('PENDING')
  })
  const waiting = client(baseUrl).waitForCompletion(submissionId, { signal: controller.signal })
  await expect(waiting).rejects.toThrow('no longer wanted')
})

function client(baseUrl: string): Pdfnorm {
  return new Pdfnorm({ baseUrl, apiKey: 'pdfnorm_key', retryDelayMs: 1 })
}

function response(status: string, more: object = {}): Answer {
  return { body: { submissionId, status, failure: null, ...more } }
}

function record(status: string): Answer {
  return { body: { submissionId, status } }
}

async function fileOf(form: FormData): Promise<Uint8Array> {
  const file = form.get('file')
  if (!(file instanceof File)) throw new Error('The form has no file')
  return new Uint8Array(await file.arrayBuffer())
}
