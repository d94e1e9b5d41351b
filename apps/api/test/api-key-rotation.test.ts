import { type ApiKeyScope, ApiKeyResponse, CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Problem, type ProblemCode } from '@pdfnorm/contracts/schema/problem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonPost, registerTestOrganization, type TestOrganization } from './organization.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'

let server: TestServer
let beside: TestServer
beforeAll(async () => {
  server = await startTestServer()
  beside = await startBeside(server)
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const hour = 60 * 60 * 1000
const someId = '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'

test('while the overlap lasts both keys work, and then the new one only', async () => {
  const organization = await registerTestOrganization(server)
  const old = await organization.createKey(['read', 'normalize'])
  const response = await rotate(organization, old.id, { overlapHours: 2 })
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const rotated = CreatedApiKey.parse(await response.json())

  expect(rotated).toMatchObject({ name: old.name, scopes: old.scopes, expiresAt: null })
  expect(rotated.id).not.toBe(old.id)
  expect(rotated.fullKey).not.toBe(old.fullKey)
  expect(await works(server, old.fullKey)).toBe(true)
  expect(await works(server, rotated.fullKey)).toBe(true)

  const [first, second] = await list(organization)
  expect([first?.id, second?.id]).toEqual([rotated.id, old.id])
  const overlap = Date.parse(second?.expiresAt ?? '') - Date.parse(rotated.createdAt)
  expect(overlap).toBe(2 * hour)

  server.clock.advance(2 * hour)
  expect(await works(server, old.fullKey)).toBe(false)
  expect(await works(server, rotated.fullKey)).toBe(true)
})

test('without an overlap the old key is refused at once, by every process', async () => {
  const organization = await registerTestOrganization(server)
  const old = await organization.createKey()
  expect(await works(beside, old.fullKey)).toBe(true)
  const rotated = await rotated201(organization, old.id, { overlapHours: 0 })

  for (const process of [server, beside]) {
    expect(await works(process, old.fullKey)).toBe(false)
    expect(await works(process, rotated.fullKey)).toBe(true)
  }
})

test('a revoked key is refused at once by every process', async () => {
  const organization = await registerTestOrganization(server)
  const key = await organization.createKey()
  expect(await works(beside, key.fullKey)).toBe(true)
  await organization.fetch(`/api/portal/api-keys/${key.id}`, { method: 'DELETE' })
  expect(await works(beside, key.fullKey)).toBe(false)
})

test('who says nothing about the overlap has a day', async () => {
  const organization = await registerTestOrganization(server)
  const old = await organization.createKey()
  const response = await organization.fetch(`/api/portal/api-keys/${old.id}/rotate`, {
    method: 'POST',
  })
  const { createdAt } = CreatedApiKey.parse(await response.json())
  const [, listed] = await list(organization)
  expect(Date.parse(listed?.expiresAt ?? '') - Date.parse(createdAt)).toBe(
    limits.apiKeyOverlapHoursDefault * hour,
  )
})

test('expiry, scopes and API version go from key to key along a chain of rotations', async () => {
  const organization = await registerTestOrganization(server)
  const expiresAt = new Date(server.clock.now().getTime() + 10 * hour).toISOString()
  const first = await create(organization, { name: 'chain', scopes: ['read'], expiresAt })
  await server.database.query(`update api_key set api_version = 'of the first' where id = $1`, [
    first.id,
  ])

  let last = first
  for (let rotation = 1; rotation <= 3; rotation += 1) {
    last = await rotated201(organization, last.id, { overlapHours: 1 })
    expect(last).toMatchObject({ name: 'chain', scopes: ['read'], expiresAt })
  }
  const versions = await server.database.query(
    'select distinct api_version from api_key where organization_id = $1',
    [organization.id],
  )
  expect(versions).toEqual([{ api_version: 'of the first' }])
  expect(await works(server, first.fullKey)).toBe(true)

  // An overlap that would end after the key does prolongs nothing.
  await rotated201(organization, last.id, { overlapHours: 100 })
  const listed = await list(organization)
  expect(listed.find(({ id }) => id === last.id)?.expiresAt).toBe(expiresAt)
})

test('a key is replaced once, also when two ask at the same time', async () => {
  const organization = await registerTestOrganization(server)
  const old = await organization.createKey()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      rotate(organization, old.id, { overlapHours: 5 }, index % 2 === 0 ? server : beside),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(5)

  const listed = await list(organization)
  expect(listed).toHaveLength(2)
  const again = await refused(rotate(organization, old.id, { overlapHours: 0 }), 404, 'NOT_FOUND')
  expect(again.detail).toContain(listed[0]?.id)
  expect(await list(organization)).toEqual(listed)
  await rotated201(organization, listed[0]?.id ?? '', {})
})

test('a key that does not work any more is not replaced', async () => {
  const organization = await registerTestOrganization(server)
  const revoked = await organization.createKey()
  await organization.fetch(`/api/portal/api-keys/${revoked.id}`, { method: 'DELETE' })
  const expiresAt = new Date(server.clock.now().getTime() + 1000).toISOString()
  const expired = await create(organization, { name: 'short', scopes: ['read'], expiresAt })
  server.clock.advance(2000)

  for (const { id } of [revoked, expired]) {
    await refused(rotate(organization, id, {}), 404, 'NOT_FOUND')
  }
  expect(await list(organization)).toHaveLength(2)
})

test('with every key in use only a rotation without overlap finds room', async () => {
  const organization = await registerTestOrganization(server)
  const key = await organization.createKey()
  await server.database.query(
    `insert into api_key (id, organization_id, name, key_prefix, key_hash, scopes, api_version, created_at)
     select gen_random_uuid(), organization_id, name, key_prefix, gen_random_uuid(), scopes, api_version, created_at
     from api_key, generate_series(2, $2::int) where id = $1`,
    [key.id, limits.apiKeysPerOrganization],
  )

  await refused(rotate(organization, key.id, { overlapHours: 1 }), 400, 'API_KEY_LIMIT_REACHED')
  const before = await list(organization)
  expect(before.find(({ id }) => id === key.id)).toMatchObject({ isActive: true, expiresAt: null })

  const answers = await Promise.all(
    before.slice(0, 5).map(({ id }) => rotate(organization, id, { overlapHours: 0 })),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  const working = (await list(organization)).filter(({ isActive }) => isActive)
  expect(working).toHaveLength(limits.apiKeysPerOrganization)
})

test('no key comes out of a deactivation, however many are asked for at that moment', async () => {
  const organization = await registerTestOrganization(server)
  const keys = await Promise.all(Array.from({ length: 4 }, () => organization.createKey()))
  const changes = keys.flatMap(({ id }) => [
    () => organization.fetch('/api/portal/api-keys', jsonPost({ name: 'k', scopes: ['read'] })),
    () => rotate(organization, id, { overlapHours: 1 }),
  ])
  const deactivate = () =>
    organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
  const answers = await Promise.all(
    [...changes.slice(0, 2), deactivate, ...changes.slice(2)].map((call) => call()),
  )

  for (const { status } of answers) expect([200, 201, 403]).toContain(status)
  expect((await list(organization)).filter(({ isActive }) => isActive)).toEqual([])
})

test('nobody rotates the key of another organization, and nothing tells that there is one', async () => {
  const one = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  const foreign = await other.createKey()

  const ofForeign = await refused(rotate(one, foreign.id, { overlapHours: 0 }), 404, 'NOT_FOUND')
  const ofNone = await refused(rotate(one, someId, { overlapHours: 0 }), 404, 'NOT_FOUND')
  expect(ofForeign.detail).toBe(ofNone.detail)
  expect(await works(server, foreign.fullKey)).toBe(true)
  expect(await list(one)).toEqual([])
})

describe('a rotation is refused, and changes nothing,', () => {
  const cases: [string, unknown][] = [
    ['before its time', { overlapHours: -1 }],
    ['with too long an overlap', { overlapHours: limits.apiKeyOverlapHoursMax + 1 }],
    ['with part of an hour', { overlapHours: 1.5 }],
    ['with a text', { overlapHours: '24' }],
    ['with null', { overlapHours: null }],
  ]
  test.each(cases)('%s', async (_case, body) => {
    const organization = await registerTestOrganization(server)
    const { id } = await organization.createKey()
    const problem = await refused(rotate(organization, id, body), 400, 'VALIDATION_ERROR')
    expect(problem.errors?.map(({ location }) => location)).toEqual(['body.overlapHours'])
    expect(await list(organization)).toMatchObject([{ id, expiresAt: null, isActive: true }])
  })

  test('for an id that is none', async () => {
    const organization = await registerTestOrganization(server)
    expect((await refused(rotate(organization, 'x', {}), 404, 'NOT_FOUND')).errors).toHaveLength(1)
  })
})

async function works({ fetch }: TestServer, fullKey: string): Promise<boolean> {
  const response = await fetch(`/api/submissions/${someId}`, { headers: { 'X-Api-Key': fullKey } })
  expect([404, 401]).toContain(response.status)
  return response.status === 404
}

function rotate(
  { accessToken }: TestOrganization,
  id: string,
  body: unknown,
  process = server,
): Promise<Response> {
  return process.fetch(`/api/portal/api-keys/${id}/rotate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(body),
  })
}

async function rotated201(
  organization: TestOrganization,
  id: string,
  body: unknown,
): Promise<CreatedApiKey> {
  const response = await rotate(organization, id, body)
  expect(response.status).toBe(201)
  return CreatedApiKey.parse(await response.json())
}

async function refused(
  answer: Promise<Response>,
  status: number,
  code: ProblemCode,
): Promise<Problem> {
  const response = await answer
  const problem = Problem.parse(await response.json())
  expect([response.status, problem.code]).toEqual([status, code])
  return problem
}

async function create(
  organization: TestOrganization,
  body: { name: string; scopes: ApiKeyScope[]; expiresAt: string },
): Promise<CreatedApiKey> {
  const response = await organization.fetch('/api/portal/api-keys', jsonPost(body))
  return CreatedApiKey.parse(await response.json())
}

async function list(organization: TestOrganization): Promise<ApiKeyResponse[]> {
  const response = await organization.fetch('/api/portal/api-keys')
  return z.array(ApiKeyResponse).parse(await response.json())
}
