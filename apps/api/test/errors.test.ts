import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { contract } from '@pdfnorm/contracts/endpoint/contract'
import { operations } from '@pdfnorm/contracts/endpoint/operations'
import { currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../src/http/app.ts'
import { mountedEndpoints } from '../src/http/mount.ts'
import { metadataOf, type MountedEndpoint } from '../src/mounted-endpoint.ts'
import { postJson, registerTestOrganization, registration } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { CORS_ORIGINS: 'https://app.example.com' } })
})
afterAll(() => server[Symbol.asyncDispose]())

test('every refusal is a problem document with the id of its request', async () => {
  const response = await server.fetch('/nowhere', { headers: { 'X-Request-Id': 'my.own-id_1' } })

  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(response.headers.get('x-request-id')).toBe('my.own-id_1')
  expect(Problem.parse(await response.json())).toEqual({
    type: `${server.url}/docs/errors/not-found`,
    title: 'There is no such thing',
    status: 404,
    detail: expect.any(String),
    code: 'NOT_FOUND',
    requestId: 'my.own-id_1',
  })
})

test('the type of a problem leads to a page about it', async () => {
  const refused = Problem.parse(await (await server.fetch('/nowhere')).json())
  const page = await fetch(refused.type)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('NOT_FOUND')
})

test("a client's request id that is not well-formed is replaced", async () => {
  for (const offered of ['two words', 'x'.repeat(129), '<script>']) {
    const response = await server.fetch('/healthz', { headers: { 'X-Request-Id': offered } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  }
})

test('a request that is not valid is answered with all of its faults', async () => {
  const body = { orgSlug: 'A', ownerEmail: 'x', ownerPassword: 'short' }
  const response = await postJson(server, '/api/auth/register', body)

  expect(response.status).toBe(400)
  const problem = Problem.parse(await response.json())
  expect(problem.code).toBe('VALIDATION_ERROR')
  expect(problem.errors?.map(({ location, code }) => [location, code])).toEqual([
    ['body.orgName', 'invalid_type'],
    ['body.orgSlug', 'invalid_format'],
    ['body.ownerEmail', 'INVALID_EMAIL'],
    ['body.ownerPassword', 'WEAK_PASSWORD'],
  ])
})

test('unknown fields are ignored: a client may be newer', async () => {
  const body = { ...registration('newer', 'newer@example.com'), favouriteColour: 'green' }
  expect((await postJson(server, '/api/auth/register', body)).status).toBe(200)
})

describe('a body that cannot be read is refused:', () => {
  const json = { 'Content-Type': 'application/json' }
  const cases: [string, number, string, RequestInit][] = [
    ['malformed JSON', 400, 'VALIDATION_ERROR', { headers: json, body: '{"email":' }],
    ['a JSON text that is no object', 400, 'VALIDATION_ERROR', { headers: json, body: '"x"' }],
    ['an array', 400, 'VALIDATION_ERROR', { headers: json, body: '[]' }],
    ['no body', 400, 'VALIDATION_ERROR', {}],
    ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', { body: new URLSearchParams({ email: 'x' }) }],
    ['text', 415, 'UNSUPPORTED_MEDIA_TYPE', { body: '{}' }],
    [
      'an unknown encoding',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { headers: { ...json, 'Content-Encoding': 'secret' }, body: '{}' },
    ],
    ['too much', 413, 'FILE_TOO_LARGE', { headers: json, body: `"${'x'.repeat(1_100_000)}"` }],
  ]
  test.each(cases)('%s: %i %s', async (_case, status, code, init) => {
    const response = await server.fetch('/api/auth/login', { method: 'POST', ...init })
    expect(response.status).toBe(status)
    expect(Problem.parse(await response.json()).code).toBe(code)
  })
})

test('a method that a path does not take is answered with those it takes', async () => {
  const response = await server.fetch('/api/portal/organization', { method: 'PATCH' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, HEAD, PUT')
  expect(Problem.parse(await response.json()).code).toBe('METHOD_NOT_ALLOWED')

  const options = await server.fetch('/api/auth/login', { method: 'OPTIONS' })
  expect(options.status).toBe(204)
  expect(options.headers.get('allow')).toBe('POST')
})

test('HEAD answers what GET does, without the body', async () => {
  const head = await server.fetch('/healthz', { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe('15')
  expect(await head.text()).toBe('')
})

test('the API version is answered, and an unknown one refused', async () => {
  const plain = await server.fetch('/nowhere')
  expect(plain.headers.get('api-version')).toBe(currentApiVersion)

  const pinned = await server.fetch('/nowhere', { headers: { 'Api-Version': currentApiVersion } })
  expect(pinned.status).toBe(404)

  const unknown = await server.fetch('/nowhere', { headers: { 'Api-Version': '2020-01-01' } })
  expect(unknown.status).toBe(400)
  expect(Problem.parse(await unknown.json()).code).toBe('UNKNOWN_API_VERSION')
})

test('a fault of the service tells nothing about itself', async () => {
  const broken = await startTestServer()
  const { fetch } = await registerTestOrganization(broken)
  await broken.database.query('alter table organization rename to gone')

  const response = await fetch('/api/portal/organization')
  expect(response.status).toBe(500)
  const problem = Problem.parse(await response.json())
  expect(problem).toMatchObject({ code: 'INTERNAL_ERROR', title: 'The service failed' })
  expect(problem).not.toHaveProperty('detail')
  await broken[Symbol.asyncDispose]()
})

describe('what the service cannot reach is told as such, with the time to try again:', () => {
  const faults: [string, () => Promise<unknown>][] = [
    ['a port where nothing listens', () => new Client({ host: '127.0.0.1', port: 1 }).connect()],
    ['a socket that is not there', () => new Client({ host: '/nowhere' }).connect()],
  ]
  test.each(faults)('%s', async (_case, fault) => {
    const broken = createServer(createApp(server.platform, [(app) => app.get('/fault', fault)]))
    broken.listen(0, '127.0.0.1')
    await once(broken, 'listening')
    const { port } = broken.address() as AddressInfo

    const response = await fetch(`http://127.0.0.1:${port}/fault`)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Problem.parse(await response.json()).code).toBe('UNAVAILABLE')

    broken.close()
    expect((await server.fetch('/readyz')).status).toBe(200)
  })
})

test('an answer that breaks its own contract does not leave the service', async () => {
  const broken = await startTestServer()
  const { fetch } = await registerTestOrganization(broken)
  await broken.database.query('alter table organization rename column name to gone')
  expect((await fetch('/api/portal/organization')).status).toBe(500)
  await broken[Symbol.asyncDispose]()
})

test('a request that is broken off leaves the service answering', async () => {
  const port = Number(new URL(server.url).port)
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
          'Content-Length: 1000\r\n\r\n{"email"',
        () => socket.destroy(),
      )
    })
    socket.on('close', () => resolve())
  })
  expect((await server.fetch('/healthz')).status).toBe(200)
})

test('only configured origins may call from a browser, and the published keys are for everyone', async () => {
  const preflight = (path: string, origin: string) =>
    server.fetch(path, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
  const known = await preflight('/api/auth/login', 'https://app.example.com')
  expect(known.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  expect(known.headers.get('access-control-allow-credentials')).toBe('true')

  const unknown = await preflight('/api/auth/login', 'https://evil.example.com')
  expect(unknown.headers.has('access-control-allow-origin')).toBe(false)

  const keys = await preflight('/.well-known/attestation-keys.json', 'https://any.example.com')
  expect(keys.headers.get('access-control-allow-origin')).toBe('*')
  expect(keys.headers.has('access-control-allow-credentials')).toBe(false)
})

test('every answer forbids a browser to guess, to frame and to keep it', async () => {
  const { headers } = await server.fetch('/nowhere')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.has('x-powered-by')).toBe(false)
})

describe('the process tells operators and tools', () => {
  test('that it is up, and that its database, storage and queue answer', async () => {
    expect(await (await server.fetch('/healthz')).json()).toEqual({ status: 'ok' })
    const ready = await server.fetch('/readyz')
    expect(ready.status).toBe(200)
    expect(await ready.json()).toEqual({
      status: 'ready',
      checks: { database: 'ok', storage: 'ok', queue: 'ok' },
    })
  })

  test('its metrics, by route and not by path', async () => {
    await server.fetch('/api/submissions/0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11')
    const text = await (await server.fetch('/metrics')).text()
    expect(text).toContain('route="/api/submissions/:submissionId",status="401"')
    expect(text).not.toContain('0199c8a4')
  })

  test('its OpenAPI document and a page for people', async () => {
    const openapi = await (await server.fetch('/api/openapi.json')).json()
    expect(openapi).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
    const docs = await server.fetch('/docs')
    expect(docs.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await docs.text()).toContain('pdfnorm')
  })
})

test('an endpoint that needs credentials is refused without them before anything else', async () => {
  const guarded = endpoints().filter(({ endpoint }) =>
    ['api-key', 'bearer'].includes(metadataOf(endpoint).auth),
  )
  expect(guarded.length).toBeGreaterThan(40)
  const answers = await Promise.all(
    guarded.map(async ({ key, path, endpoint }) => {
      const { status } = await server.fetch(path, { method: endpoint.method })
      return [key, status]
    }),
  )
  expect(answers.filter(([, status]) => status !== 401)).toEqual([])
})

test('every endpoint of the contract is mounted', async () => {
  const organization = await registerTestOrganization(server)
  const { fullKey } = await organization.createKey()
  const statuses = new Map<string, number>()
  // These would end the session, or the organization, that the others need.
  const endings = new Set(['logout', 'deactivateOrganization'])
  for (const { key, path, endpoint } of endpoints().filter(({ key }) => !endings.has(key))) {
    const init = { method: endpoint.method, headers: { 'X-Api-Key': fullKey } }
    const { status } = await organization.fetch(path, init)
    statuses.set(key, status)
  }

  const missing = [...statuses].filter(([, status]) => status === 405 || status >= 500)
  expect(missing).toEqual([])
})

test('every endpoint states who may call it', () => {
  const stated = [...mountedEndpoints(), ...Object.values(operations)].map(
    (endpoint) => metadataOf(endpoint).auth,
  )
  expect(new Set(stated)).toEqual(new Set(['none', 'api-key', 'bearer', 'stripe-signature']))
})

/** Every endpoint with its key and a path of it. */
function endpoints() {
  return Object.values(contract).flatMap((group) =>
    Object.entries<MountedEndpoint>(group).map(([key, endpoint]) => ({
      key,
      endpoint,
      path: endpoint.path.replaceAll(/:\w+/g, '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'),
    })),
  )
}
