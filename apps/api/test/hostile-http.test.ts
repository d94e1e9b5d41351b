import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Problem, type ProblemCode } from '@pdfnorm/contracts/schema/problem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonPost, postJson, registration } from './organization.ts'
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
afterAll(() => server[Symbol.asyncDispose]())

const good = pdf({ text: 'good' })
const nul = '\u0000'

/** Sends bytes as they are and reads until the service closes the connection. */
function exchange(...sent: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const received: Buffer[] = []
    socket.on('data', (chunk) => received.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(received).toString()))
    socket.on('error', reject)
    for (const bytes of sent) socket.write(bytes)
  })
}

/** The status, headers and body of the one answer that was received. */
function parseAnswer(received: string): { status: number; headers: Headers; body: string } {
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body }
}

describe('what cannot be read as a request is refused as everything is, with an id:', () => {
  const cases: [string, string, number, ProblemCode][] = [
    ['no HTTP', 'NONSENSE\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'a header with a control character',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\u0001b\r\n\r\n',
      400,
      'VALIDATION_ERROR',
    ],
    [
      'two lengths for one body',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
      400,
      'VALIDATION_ERROR',
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'headers without end',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an address without end',
      `GET /api/artifacts/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
  ]
  test.each(cases)('%s', async (_case, request, status, code) => {
    const answer = parseAnswer(await exchange(request))

    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const refused = Problem.parse(JSON.parse(answer.body))
    expect(refused.code).toBe(code)
    expect(answer.headers.get('x-request-id')).toBe(refused.requestId)
    expect(answer.headers.has('api-version')).toBe(true)
  })
})

test('a body that waits for its permission is asked for only when the caller is known', async () => {
  const head = (key: string) =>
    `POST /api/auth/logout HTTP/1.1\r\nHost: x\r\n${key}Expect: 100-continue\r\n` +
    'Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n'
  const upload =
    'POST /api/normalize HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n' +
    'Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 1000000\r\n'
  expect(await exchange(head(''))).toMatch(/^HTTP\/1\.1 401 /)
  expect(await exchange(`${upload}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)

  const body = '{"email":"a@example.com","password":"x"}'
  const login = await exchange(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  expect(login).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /)
})

describe('text that cannot be stored is refused, wherever it stands:', () => {
  test('the name of an organization', async () => {
    for (const orgName of [`a${nul}b`, 'half a \ud800 pair']) {
      const body = { ...registration('hostile', 'hostile@example.com'), orgName }
      const refused = await problem(
        postJson(server, '/api/auth/register', body),
        400,
        'VALIDATION_ERROR',
      )
      expect(refused.errors?.map(({ location }) => location)).toEqual(['body.orgName'])
    }
  })

  test('the name of a key', async () => {
    const init = jsonPost({ name: `a${nul}b`, scopes: ['read'] })
    const created = submitter.organization.fetch('/api/portal/api-keys', init)
    const refused = await problem(created, 400, 'VALIDATION_ERROR')
    expect(refused.errors?.map(({ location }) => location)).toEqual(['body.name'])
  })

  test('an idempotency key and a webhook, which leave nothing behind', async () => {
    const stored = await whatIsStored(server)
    const fields = { idempotency_key: `a${nul}b`, webhook_url: `https://example.com/${nul}` }
    const refused = await problem(submitter.submit(good, fields), 400, 'VALIDATION_ERROR')

    expect(refused.errors?.map(({ location }) => location).toSorted()).toEqual([
      'body.idempotency_key',
      'body.webhook_url',
    ])
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('an address with which nobody can have registered is unknown', async () => {
    const body = { email: `a${nul}@example.com`, password: 'x' }
    const response = await postJson(server, '/api/auth/login', body)
    expect(response.status).toBe(401)
    await problem(response, 401, 'INVALID_CREDENTIALS')
  })
})

test('a key cannot expire after the year 9999, not even by its offset', async () => {
  const create = (expiresAt: string) =>
    submitter.organization.fetch(
      '/api/portal/api-keys',
      jsonPost({ name: 'late', scopes: ['read'], expiresAt }),
    )
  await problem(create('9999-12-31T23:59:59.999-23:59'), 400, 'VALIDATION_ERROR')
  expect((await create('9999-12-31T23:59:59.999Z')).status).toBe(200)
})

describe('a body in a coding', () => {
  const login = (coding: string, body: NonNullable<RequestInit['body']>) =>
    server.fetch('/api/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': coding },
      body,
    })

  test('is decoded, and refused if it is not in it', async () => {
    const json = Buffer.from('{"email":"a@example.com","password":"x"}')
    expect((await login('gzip', gzipSync(json))).status).toBe(401)
    for (const coding of ['gzip', 'br', 'deflate']) {
      await problem(login(coding, 'not in it'), 400, 'VALIDATION_ERROR')
    }
  })

  test('is refused for an upload', async () => {
    const headers = { 'Content-Encoding': 'gzip' }
    await problem(submitter.submit(good, {}, headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const { status } = await normalized(
      submitter.submit(good, {}, { 'Content-Encoding': 'identity' }),
    )
    expect(status).toBe('SUCCESS')
  })
})

describe('a form whose parts are not well-formed is refused and leaves nothing:', () => {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.pdf"'
  const cases: [string, string, ProblemCode][] = [
    ['a control character in a header', `${disposition}\u0001`, 'VALIDATION_ERROR'],
    ['a header without end', `X-Long: ${'x'.repeat(100_000)}`, 'VALIDATION_ERROR'],
    [
      'a long text in place of the file',
      'Content-Disposition: form-data; name="file"',
      'INVALID_FILE',
    ],
  ]
  test.each(cases)('%s', async (_case, header, code) => {
    const stored = await whatIsStored(server)
    const content = Buffer.concat([good, Buffer.alloc(32 * 1024, ' ')])
    const response = server.fetch('/api/normalize', {
      method: 'POST',
      headers: {
        'X-Api-Key': submitter.key,
        'Content-Type': 'multipart/form-data; boundary=B',
      },
      body: Buffer.concat([
        Buffer.from(`--B\r\n${header}\r\n\r\n`),
        content,
        Buffer.from('\r\n--B--\r\n'),
      ]),
    })
    await problem(response, 400, code)
    expect(await whatIsStored(server)).toEqual(stored)
  })
})

describe('a method that a path does not take is answered with all that it takes,', () => {
  const cases: [string, string][] = [
    // Also what the pattern beside it, /api/portal/webhooks/:id, takes.
    ['/api/portal/webhooks/dead', 'DELETE, GET, HEAD, PUT'],
    ['/api/portal/webhooks/0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11', 'DELETE, PUT'],
    ['/', 'GET, HEAD'],
    ['/docs/errors/expired', 'GET, HEAD'],
    ['/docs/contexts/attestation-v1', 'GET, HEAD'],
  ]
  test.each(cases)('%s: %s', async (path, allow) => {
    const response = await server.fetch(path, { method: 'PATCH' })
    await problem(response, 405, 'METHOD_NOT_ALLOWED')
    expect(response.headers.get('allow')).toBe(allow)
  })
})

test('an unknown API version is refused to browsers and in the log as everything else is', async () => {
  const response = await server.fetch('/healthz', { headers: { 'Api-Version': '2020-01-01' } })
  await problem(response, 400, 'UNKNOWN_API_VERSION')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('vary')).toBe('Origin')
})
