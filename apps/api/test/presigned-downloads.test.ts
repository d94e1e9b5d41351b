import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'
import { problem } from './submitter.ts'

let server: TestServer
const bytes = Buffer.from('a ZIP archive, as far as anybody here can tell')
const key = 'org_1/exports/1.zip'
beforeAll(async () => {
  server = await startTestServer()
  await server.platform.objects.putStream('eu-central-1', key, Readable.from([bytes]))
})
afterAll(() => server[Symbol.asyncDispose]())

const presign = (changes: { key?: string; expiresInSeconds?: number } = {}) =>
  server.platform.objects.presign('eu-central-1', changes.key ?? key, {
    fileName: 'export.zip',
    contentType: 'application/zip',
    expiresInSeconds: changes.expiresInSeconds ?? 900,
  })

test('whoever has the address downloads the file, without other credentials', async () => {
  const response = await fetch(await presign())

  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(bytes.length),
    'content-disposition': 'attachment; filename="export.zip"',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
  })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
})

test('a broken-off download goes on where it ended', async () => {
  const url = await presign()
  const whole = await fetch(url, { method: 'HEAD' })
  const etag = whole.headers.get('etag') ?? ''
  const rest = await fetch(url, { headers: { Range: 'bytes=10-', 'If-Range': etag } })

  expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, 0])
  expect([rest.status, rest.headers.get('content-range')]).toEqual([
    206,
    `bytes 10-${bytes.length - 1}/${bytes.length}`,
  ])
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(bytes.subarray(10))
  await problem(fetch(url, { headers: { Range: 'bytes=1000-' } }), 416, 'RANGE_NOT_SATISFIABLE')
})

test('an address that was changed in any place leads nowhere', async () => {
  const url = await presign()
  const token = url.slice(url.lastIndexOf('/') + 1)
  const [payload = '', tag = ''] = token.split('.')
  const other = Buffer.from(
    Buffer.from(payload, 'base64url').toString('utf8').replace('org_1', 'org_2'),
  ).toString('base64url')
  const withoutKey = createHmac('sha256', '').update(payload).digest('base64url')

  for (const forged of [
    `${other}.${tag}`,
    `${payload}.${withoutKey}`,
    `${payload}.${tag.slice(0, -1)}`,
    `${payload}.${tag}.${tag}`,
    `${payload}.`,
    `.${tag}`,
    payload,
    '.',
    'x'.repeat(5000),
  ]) {
    await problem(server.fetch(`/api/downloads/${forged}`), 404, 'NOT_FOUND')
  }
  expect((await server.fetch(`/api/downloads/${token}`)).status).toBe(200)
})

test('an address leads nowhere when its time is over, or its file is gone', async () => {
  const gone = await presign({ key: 'org_1/exports/2.zip' })
  await problem(fetch(gone), 404, 'NOT_FOUND')

  const url = await presign({ expiresInSeconds: 60 })
  server.clock.advance(59_000)
  expect((await fetch(url)).status).toBe(200)
  server.clock.advance(2000)
  await problem(fetch(url), 404, 'NOT_FOUND')
})

test('an address takes GET and HEAD only', async () => {
  const response = await fetch(await presign(), { method: 'DELETE' })

  expect(response.headers.get('allow')).toBe('GET, HEAD')
  await problem(response, 405, 'METHOD_NOT_ALLOWED')
})

test('a name that could end the header is refused when the address is made', async () => {
  for (const fileName of ['a"b.zip', 'a\r\nSet-Cookie: x', '', '../a', 'ä.zip']) {
    const { objects } = server.platform
    await expect(
      objects.presign('eu-central-1', key, {
        fileName,
        contentType: 'application/zip',
        expiresInSeconds: 60,
      }),
    ).rejects.toThrow('The name of a download')
  }
})
