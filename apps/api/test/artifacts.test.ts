import { once } from 'node:events'
import { Readable } from 'node:stream'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  normalized,
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  sha256Of,
  type Submitter,
} from './submitter.ts'

const day = 24 * 60 * 60 * 1000

let server: TestServer
let submitter: Submitter
let sha256: string
let whole: Buffer
beforeAll(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
  ;({ sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'an artifact' })))
  const response = await submitter.get(`/api/artifacts/${sha256}`)
  whole = Buffer.from(await response.arrayBuffer())
})
afterAll(() => server[Symbol.asyncDispose]())

const headersOf = (response: Response) => Object.fromEntries(response.headers)
const ask = (headers: Record<string, string>, method = 'GET') =>
  submitter.get(`/api/artifacts/${sha256}`, headers, method)

function describingHeaders() {
  return {
    'content-type': 'application/pdf',
    'content-length': String(whole.length),
    'content-disposition': 'attachment; filename="normalized.pdf"',
    'x-content-hash': sha256,
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    etag: `"${sha256}"`,
    'accept-ranges': 'bytes',
    'cache-control': expect.stringMatching(/private.*immutable/),
  }
}

test('a download has the bytes of its hash and says what they are', async () => {
  const response = await ask({})

  expect(response.status).toBe(200)
  expect(headersOf(response)).toMatchObject(describingHeaders())
  expect(sha256Of(new Uint8Array(await response.arrayBuffer()))).toBe(sha256)
})

test('HEAD says the same without the bytes, also where a part is asked for', async () => {
  const response = await ask({ Range: 'bytes=0-4' }, 'HEAD')

  expect(response.status).toBe(200)
  expect(headersOf(response)).toMatchObject(describingHeaders())
  expect((await response.arrayBuffer()).byteLength).toBe(0)
})

test('who has the file already is answered with 304', async () => {
  for (const tags of [`"${sha256}"`, `W/"${sha256}"`, `"other", "${sha256}"`, '*']) {
    // fetch() adds `Cache-Control: no-cache`, which is meant for caches on the way.
    const response = await ask({ 'If-None-Match': tags })
    expect([response.status, response.headers.get('etag')]).toEqual([304, `"${sha256}"`])
    expect((await response.arrayBuffer()).byteLength).toBe(0)
  }
  expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200)
})

test('a part of the file can be asked for, from its beginning, its middle and its end', async () => {
  const size = whole.length
  const ranges: [string, number, number][] = [
    ['bytes=0-4', 0, 4],
    ['bytes=100-', 100, size - 1],
    ['bytes=-16', size - 16, size - 1],
    [`bytes=10-${size + 1000}`, 10, size - 1],
  ]
  for (const [range, first, last] of ranges) {
    const response = await ask({ Range: range })
    expect(response.status).toBe(206)
    expect(headersOf(response)).toMatchObject({
      ...describingHeaders(),
      'content-length': String(last - first + 1),
      'content-range': `bytes ${first}-${last}/${size}`,
    })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(whole.subarray(first, last + 1))
  }
})

test('a broken-off download goes on where it ended, if the file is still the same', async () => {
  const same = await ask({ Range: 'bytes=100-', 'If-Range': `"${sha256}"` })
  const changed = await ask({ Range: 'bytes=100-', 'If-Range': '"another"' })

  expect([same.status, changed.status]).toEqual([206, 200])
  expect(Buffer.from(await changed.arrayBuffer())).toEqual(whole)
})

test('who asks for the file with another ETag is refused before all else', async () => {
  for (const tags of [`"${sha256}"`, `"other", "${sha256}"`, '*']) {
    expect((await ask({ 'If-Match': tags })).status).toBe(200)
  }
  for (const tags of ['"other"', `W/"${sha256}"`, sha256]) {
    const response = await ask({ 'If-Match': tags, 'If-None-Match': '*', Range: 'bytes=0-1' })
    expect(headersOf(response)).not.toHaveProperty('etag')
    await problem(response, 412, 'PRECONDITION_FAILED')
  }
})

test('a download that its client leaves does not go on', async () => {
  const { objects } = server.platform
  const endless = new Readable({ read: () => endless.push(Buffer.alloc(64 * 1024)) })
  vi.spyOn(objects, 'openStream').mockResolvedValueOnce(endless)
  const client = new AbortController()
  const response = await server.fetch(`/api/artifacts/${sha256}`, {
    headers: { 'X-Api-Key': submitter.key },
    signal: client.signal,
  })
  const closed = once(endless, 'close')
  client.abort()
  await closed

  expect([response.status, endless.destroyed]).toEqual([200, true])
})

test('several ranges, another unit and a malformed range mean the whole file', async () => {
  for (const range of ['bytes=0-4,10-14', 'pages=1-2', 'bytes=x', 'nothing']) {
    const response = await ask({ Range: range })
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(whole.length)
  }
})

test('a range outside of the file is refused with the size of the file', async () => {
  const response = await ask({ Range: `bytes=${whole.length}-` })

  expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`)
  await problem(response, 416, 'RANGE_NOT_SATISFIABLE')
})

test('an artifact of another organization answers 403 and does not reveal its size', async () => {
  const other = await registerSubmitter(server)
  const response = await other.get(`/api/artifacts/${sha256}`)

  expect(headersOf(response)).not.toHaveProperty('etag')
  expect(headersOf(response)).not.toHaveProperty('x-content-hash')
  const refusal = await problem(response, 403, 'FORBIDDEN_RESOURCE')
  expect(JSON.stringify(refusal)).not.toContain(String(whole.length))
})

test('an organization that made the same file reads it too', async () => {
  const other = await registerSubmitter(server)
  await normalizeSuccessfully(other, pdf({ text: 'an artifact' }))

  expect((await other.get(`/api/artifacts/${sha256}`)).status).toBe(200)
})

test('a hash that nobody has is not found; one that is none is refused; upper case is taken', async () => {
  await problem(submitter.get(`/api/artifacts/${'0'.repeat(64)}`), 404, 'NOT_FOUND')
  for (const malformed of ['abc', `${sha256}0`, 'g'.repeat(64), `sha256:${sha256}`]) {
    await problem(submitter.get(`/api/artifacts/${malformed}`), 400, 'INVALID_SHA256')
  }
  const upper = await submitter.get(`/api/artifacts/${sha256.toUpperCase()}`)
  expect(upper.headers.get('x-content-hash')).toBe(sha256)
})

test('a download needs a key with the scope read', async () => {
  const { fullKey } = await submitter.organization.createKey(['normalize'])
  const path = `/api/artifacts/${sha256}`

  const refusal = await problem(
    server.fetch(path, { headers: { 'X-Api-Key': fullKey } }),
    403,
    'INSUFFICIENT_SCOPE',
  )
  expect(refusal.detail).toContain('read')
  await problem(server.fetch(path), 401, 'MISSING_CREDENTIALS')
})

test('an artifact is read from whichever region it lies in', async () => {
  const document = pdf({ text: 'in Europe' })
  const body = await normalized(submitter.submit(document, { region: 'eu-central-1' }))
  const response = await submitter.get(`/api/artifacts/${body.normalized?.sha256}`)

  expect(sha256Of(new Uint8Array(await response.arrayBuffer()))).toBe(body.normalized?.sha256)
})

test('after the retention period an artifact is gone; a new success brings it back', async () => {
  const own = await registerSubmitter(server)
  const document = pdf({ text: 'kept for a while' })
  const { sha256: hash } = await normalizeSuccessfully(own, document)
  server.clock.advance((plans.free.retentionDays - 1) * day)
  expect((await own.get(`/api/artifacts/${hash}`)).status).toBe(200)

  server.clock.advance(2 * day)
  await problem(own.get(`/api/artifacts/${hash}`), 404, 'EXPIRED')
  await normalizeSuccessfully(own, document)
  expect((await own.get(`/api/artifacts/${hash}`)).status).toBe(200)
})
