import { crc32 } from 'node:zlib'
import { ApiKeyResponse, RevokedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonPost, registerTestOrganization, type TestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const someSubmission = '/api/submissions/0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'

test('a key carries a checksum of its secret, and is shown in full only once', async () => {
  const organization = await registerTestOrganization(server)
  const key = await organization.createKey(['read'])

  const [, secret = '', checksum = ''] =
    /^pdfnorm_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(key.fullKey) ?? []
  expect(base62(crc32(secret)).padStart(6, '0')).toBe(checksum)
  expect(key.keyPrefix).toBe(`pdfnorm_${secret.slice(0, 8)}`)

  const listed = await organization.fetch('/api/portal/api-keys')
  const text = await listed.text()
  expect(text).not.toContain(key.fullKey)
  expect(z.array(ApiKeyResponse).parse(JSON.parse(text))).toMatchObject([
    { id: key.id, keyPrefix: key.keyPrefix, scopes: ['read'], isActive: true, lastUsedAt: null },
  ])
  const rows = await server.database.query('select * from api_key where id = $1', [key.id])
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('a key is accepted in X-Api-Key and as a bearer token', async () => {
  const { fullKey } = await (await registerTestOrganization(server)).createKey()
  for (const headers of [{ 'X-Api-Key': fullKey }, { Authorization: `Bearer ${fullKey}` }]) {
    expect((await server.fetch(someSubmission, { headers })).status).toBe(404)
  }
})

describe('a request is refused with 401', () => {
  const cases: [string, string, (fullKey: string) => Record<string, string>][] = [
    ['without a key', 'MISSING_CREDENTIALS', () => ({})],
    ['with an unknown key', 'INVALID_API_KEY', () => ({ 'X-Api-Key': unknownKey })],
    ['with a mistyped key', 'INVALID_API_KEY', (key) => ({ 'X-Api-Key': mistyped(key) })],
    ['with half a key', 'INVALID_API_KEY', (key) => ({ 'X-Api-Key': key.slice(0, 20) })],
    ['with something else', 'INVALID_API_KEY', () => ({ 'X-Api-Key': "' or 1=1 --" })],
    [
      'with a bearer token that is no key',
      'INVALID_API_KEY',
      () => ({ Authorization: 'Bearer x' }),
    ],
    ['with another scheme', 'MISSING_CREDENTIALS', () => ({ Authorization: 'Basic eDp5' })],
  ]
  test.each(cases)('%s: %s', async (_case, code, headersFor) => {
    const { fullKey } = await (await registerTestOrganization(server)).createKey()
    const response = await server.fetch(someSubmission, { headers: headersFor(fullKey) })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('Bearer')
    expect(Problem.parse(await response.json()).code).toBe(code)
  })
})

test('a revoked key is refused from the next request on, and stays in the list', async () => {
  const organization = await registerTestOrganization(server)
  const key = await organization.createKey()
  const revoked = await organization.fetch(`/api/portal/api-keys/${key.id}`, { method: 'DELETE' })
  expect(revoked.status).toBe(200)
  expect(RevokedApiKey.parse(await revoked.json())).toEqual({ id: key.id, isActive: false })

  const refused = await server.fetch(someSubmission, { headers: { 'X-Api-Key': key.fullKey } })
  expect(refused.status).toBe(401)
  expect(Problem.parse(await refused.json()).detail).toContain('revoked')
  expect(await list(organization)).toMatchObject([{ id: key.id, isActive: false }])
})

test('an id in upper case names the same key, and is answered in lower case', async () => {
  const organization = await registerTestOrganization(server)
  const key = await organization.createKey()
  const path = `/api/portal/api-keys/${key.id.toUpperCase()}`
  const revoked = await organization.fetch(path, { method: 'DELETE' })
  expect(await revoked.json()).toEqual({ id: key.id, isActive: false })
})

test('a key is refused once it has expired', async () => {
  const organization = await registerTestOrganization(server)
  const soon = new Date(server.clock.now().getTime() + 60_000).toISOString()
  const key = await create(organization, { name: 'short', scopes: ['read'], expiresAt: soon })
  const { fullKey } = z.object({ fullKey: z.string() }).parse(await key.json())
  const headers = { 'X-Api-Key': fullKey }

  expect((await server.fetch(someSubmission, { headers })).status).toBe(404)
  server.clock.advance(61_000)
  const refused = await server.fetch(someSubmission, { headers })
  expect(refused.status).toBe(401)
  expect(Problem.parse(await refused.json()).detail).toContain('expired')
  expect(await list(organization)).toMatchObject([{ isActive: false, expiresAt: soon }])
})

test('a key without the scope is refused with 403', async () => {
  const { fullKey } = await (await registerTestOrganization(server)).createKey(['normalize'])
  const path = `/api/reports/${'0'.repeat(64)}`
  const response = await server.fetch(path, { headers: { 'X-Api-Key': fullKey } })
  expect(response.status).toBe(403)
  expect(Problem.parse(await response.json()).code).toBe('INSUFFICIENT_SCOPE')
})

test('lastUsedAt is at most a minute late, and is not touched by what is refused', async () => {
  const organization = await registerTestOrganization(server)
  const { id, fullKey } = await organization.createKey(['normalize'])
  const use = async (path: string) => {
    await server.fetch(path, { headers: { 'X-Api-Key': fullKey } })
    await server.platform.apiKeyUse.settled()
    return Date.parse((await list(organization))[0]?.lastUsedAt ?? '')
  }
  const lateness = async (path: string) => server.clock.now().getTime() - (await use(path))

  expect(await lateness(someSubmission)).toBeLessThan(60_000)
  server.clock.advance(30_000)
  expect(await lateness(someSubmission)).toBeLessThan(60_000)
  server.clock.advance(31_000)
  expect(await lateness(someSubmission)).toBeLessThan(30_000)

  const before = await use(someSubmission)
  await organization.fetch(`/api/portal/api-keys/${id}`, { method: 'DELETE' })
  server.clock.advance(120_000)
  expect(await use(someSubmission)).toBe(before)
})

test('a request does not wait until its use is written down', async () => {
  const organization = await registerTestOrganization(server)
  const { id, fullKey } = await organization.createKey()
  const holding = new Client(server.database.connection.url)
  await holding.connect()
  await holding.query('begin')
  await holding.query('select from api_key where id = $1 for update', [id])

  const headers = { 'X-Api-Key': fullKey }
  expect((await server.fetch(someSubmission, { headers })).status).toBe(404)
  expect(await list(organization)).toMatchObject([{ lastUsedAt: null }])
  await holding.end()
  await server.platform.apiKeyUse.settled()
  expect(await list(organization)).toMatchObject([{ lastUsedAt: expect.any(String) }])
})

test('an organization has at most 50 keys, also when they are asked for at once', async () => {
  const organization = await registerTestOrganization(server)
  const answers = await Promise.all(
    Array.from({ length: 53 }, () => create(organization, { name: 'k', scopes: ['read'] })),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50)
  const refused = answers.find((answer) => answer.status === 400)
  expect(Problem.parse(await refused?.json()).code).toBe('API_KEY_LIMIT_REACHED')
})

test('of the keys that have ended the newest 200 are listed; older ones are forgotten, and nothing that works', async () => {
  const organization = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  const works = await organization.createKey()
  const endedKeys = (id: string) =>
    server.database.query(
      `insert into api_key (id, organization_id, name, key_prefix, key_hash, scopes, api_version, created_at, revoked_at, expires_at)
       select gen_random_uuid(), $1::uuid, 'ended ' || n, 'x', $1::uuid::text || n, '{read}', '2026-11-01', now() - n * interval '1 minute',
              case when n % 2 = 0 then now() end, now() - interval '1 second'
       from generate_series(1, 250) n`,
      [id],
    )
  await endedKeys(organization.id)
  await endedKeys(other.id)
  await organization.createKey()

  const list = async ({ fetch }: TestOrganization) =>
    z.array(ApiKeyResponse).parse(await (await fetch('/api/portal/api-keys')).json())
  const keys = await list(organization)
  expect(keys).toHaveLength(2 + 200)
  expect(keys.filter(({ isActive }) => isActive).map(({ id }) => id)).toContain(works.id)
  expect(keys.at(-1)?.name).toBe('ended 200')
  expect(await list(other)).toHaveLength(250)
})

describe('a key is not created', () => {
  const cases: [string, string, unknown][] = [
    ['without a name', 'body.name', { scopes: ['read'] }],
    ['without scopes', 'body.scopes', { name: 'k', scopes: [] }],
    ['with an unknown scope', 'body.scopes.0', { name: 'k', scopes: ['write'] }],
    [
      'with an expiry in the past',
      'body.expiresAt',
      { name: 'k', scopes: ['read'], expiresAt: '2020-01-01T00:00:00.000Z' },
    ],
    ['with a name of spaces', 'body.name', { name: '   ', scopes: ['read'] }],
    ['with a name of 201 characters', 'body.name', { name: 'n'.repeat(201), scopes: ['read'] }],
    ['with a name that is a number', 'body.name', { name: 7, scopes: ['read'] }],
    ['with a name that adds a header', 'body.name', { name: 'k\r\nX-Evil: 1', scopes: ['read'] }],
    ['with U+0000 in its name', 'body.name', { name: 'k\u0000', scopes: ['read'] }],
    ['with half a surrogate pair', 'body.name', { name: 'k\ud800', scopes: ['read'] }],
    ['with a scope that is no list', 'body.scopes', { name: 'k', scopes: { read: true } }],
    ['with a text for its scopes', 'body.scopes', { name: 'k', scopes: 'read' }],
    [
      'with more scopes than there are',
      'body.scopes',
      { name: 'k', scopes: Array(3).fill('read') },
    ],
    ['with a day that is none', 'body.expiresAt', expiring('2027-02-30T00:00:00Z')],
    ['with a word for its expiry', 'body.expiresAt', expiring('tomorrow')],
    ['with a date alone', 'body.expiresAt', expiring('2027-02-01')],
    ['with a time without a zone', 'body.expiresAt', expiring('2027-02-01T00:00:00')],
    ['with a number for its expiry', 'body.expiresAt', expiring(1_800_000_000)],
    ['with an expiry beyond all years', 'body.expiresAt', expiring('9999-12-31T23:59:59-01:00')],
  ]
  test.each(cases)('%s', async (_case, location, body) => {
    const organization = await registerTestOrganization(server)
    const response = await create(organization, body)
    expect(response.status).toBe(400)
    expect(await list(organization)).toEqual([])
    const problem = Problem.parse(await response.json())
    expect(problem.code).toBe('VALIDATION_ERROR')
    expect(problem.errors?.map((fault) => fault.location)).toEqual([location])
  })
})

test('an expiry with an offset is answered in UTC, and a scope that is named twice is one', async () => {
  const organization = await registerTestOrganization(server)
  const request = { name: ' Café ✓ ', scopes: ['read', 'read'] }
  const response = await create(organization, {
    ...request,
    expiresAt: '2037-01-01T01:30:00+02:00',
  })
  expect(await response.json()).toMatchObject({
    name: 'Café ✓',
    scopes: ['read'],
    expiresAt: '2036-12-31T23:30:00.000Z',
  })
})

test('an API key does not open the portal, and an access token does not normalize', async () => {
  const organization = await registerTestOrganization(server)
  const { fullKey } = await organization.createKey()
  const portal = await server.fetch('/api/portal/organization', {
    headers: { Authorization: `Bearer ${fullKey}` },
  })
  expect(portal.status).toBe(401)
  expect((await organization.fetch(someSubmission)).status).toBe(401)
})

function expiring(expiresAt: unknown) {
  return { name: 'k', scopes: ['read'], expiresAt }
}

/** Well-formed, and of nobody: its checksum is right. */
const unknownKey = `pdfnorm_${'0'.repeat(30)}${base62(crc32('0'.repeat(30))).padStart(6, '0')}`

function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}

function base62(number: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  return number < 62
    ? digits.charAt(number)
    : base62(Math.floor(number / 62)) + digits.charAt(number % 62)
}

async function create(organization: TestOrganization, body: unknown): Promise<Response> {
  return organization.fetch('/api/portal/api-keys', jsonPost(body))
}

async function list(organization: TestOrganization): Promise<ApiKeyResponse[]> {
  const response = await organization.fetch('/api/portal/api-keys')
  return z.array(ApiKeyResponse).parse(await response.json())
}
