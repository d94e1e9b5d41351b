import { LockMode } from '@mikro-orm/core'
import { Client } from 'pg'
import { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiKeyEntity } from '../src/api-key/api-key.ts'
import { poolConfig } from '../src/database/orm.ts'
import {
  readByLookUp,
  readInOrganization,
  withLookUp,
  withOrganization,
  withoutOrganization,
} from '../src/database/transaction.ts'
import { MemberEntity } from '../src/member/member.ts'
import { OrganizationEntity } from '../src/organization/organization.ts'
import { registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('the service works as a role that row-level security holds for', async () => {
  const client = new Client(poolConfig(server.database.connection))
  await client.connect()
  const { rows } = await client.query(
    'select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin from pg_roles where rolname = current_user',
  )
  await client.end()
  expect(rows).toEqual([
    { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcanlogin: false },
  ])
})

test('a transaction that forgets the organization sees nothing', async () => {
  await registerTestOrganization(server)
  const { orm } = server.platform
  const seen = await withoutOrganization(orm, async (em) => ({
    organizations: await em.count(OrganizationEntity),
    members: await em.count(MemberEntity),
    keys: await em.count(ApiKeyEntity),
  }))
  expect(seen).toEqual({ organizations: 0, members: 0, keys: 0 })
})

test('an organization sees its own rows only, whatever it asks for', async () => {
  const one = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  await one.createKey()
  const foreign = await other.createKey()

  const { orm } = server.platform
  const seen = await withOrganization(orm, one.id, async (em) => ({
    organizations: (await em.findAll(OrganizationEntity)).map(({ id }) => id),
    members: (await em.findAll(MemberEntity)).map(({ organizationId }) => organizationId),
    foreignKey: await em.findOne(ApiKeyEntity, foreign.id),
  }))
  expect(seen).toEqual({ organizations: [one.id], members: [one.id], foreignKey: null })
})

test('an organization cannot write rows of another one', async () => {
  const one = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  const { orm } = server.platform

  const insert = withOrganization(orm, one.id, async (em) => {
    await em.execute(
      `insert into one_time_token (token_hash, organization_id, member_id, purpose, expires_at)
       values ('x', ?, ?, 'reset-password', now())`,
      [other.id, other.owner.id],
    )
  })
  await expect(insert).rejects.toThrow(/row-level security/)

  const changed = await withOrganization(orm, one.id, (em) =>
    em.nativeUpdate(MemberEntity, { id: other.owner.id }, { role: 'member' }),
  )
  expect(changed).toBe(0)
})

test('a look-up shows the row that it names, to read and not to change', async () => {
  const { owner } = await registerTestOrganization(server)
  await registerTestOrganization(server)
  const { orm } = server.platform

  const found = await withLookUp(orm, { memberEmail: owner.email }, async (em) => ({
    members: (await em.findAll(MemberEntity)).map(({ email }) => email),
    organizations: await em.count(OrganizationEntity),
    changed: await em.nativeUpdate(MemberEntity, { email: owner.email }, { role: 'member' }),
  }))
  expect(found).toEqual({ members: [owner.email], organizations: 0, changed: 0 })
})

test('the organization of a transaction does not stay on its connection', async () => {
  const { id } = await registerTestOrganization(server)
  const { orm } = server.platform
  // As many transactions as the pool has connections, all open at once, so that every one is used.
  await Promise.all(
    Array.from({ length: 20 }, () =>
      withOrganization(orm, id, (em) =>
        em.findOneOrFail(OrganizationEntity, id, { lockMode: LockMode.PESSIMISTIC_READ }),
      ),
    ),
  )
  const counts = await Promise.all(
    Array.from({ length: 20 }, () =>
      withoutOrganization(orm, (em) => em.count(OrganizationEntity)),
    ),
  )
  expect(new Set(counts)).toEqual(new Set([0]))
})

test('a read in one message sees the own organization only, and leaves nothing on its connection', async () => {
  const one = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  const { orm } = server.platform
  const everything = { sql: 'select id from organization', parameters: [] }

  expect(await readInOrganization(orm, one.id, everything)).toEqual([{ id: one.id }])
  const byEmail = await readByLookUp(
    orm,
    { memberEmail: other.owner.email },
    { sql: 'select organization_id from member', parameters: [] },
    everything,
  )
  expect(byEmail).toEqual([{ id: other.id }])
  const unknown = await readByLookUp(
    orm,
    { memberEmail: 'nobody@example.com' },
    { sql: 'select organization_id from member', parameters: [] },
    everything,
  )
  expect(unknown).toEqual([])

  const reads = Array.from({ length: 20 }, () => readInOrganization(orm, one.id, everything))
  expect(new Set((await Promise.all(reads)).map((rows) => rows.length))).toEqual(new Set([1]))
  const seen = Array.from({ length: 20 }, () =>
    withoutOrganization(orm, (em) => em.count(OrganizationEntity)),
  )
  expect(new Set(await Promise.all(seen))).toEqual(new Set([0]))
})

test('what a transaction is set to stays a value, and an organization is an id', async () => {
  const { orm } = server.platform
  for (const memberEmail of [`'; set role postgres; --`, `\\'`, `\\\\`, `$$ %L ?`, `E'\\''`, ``]) {
    const set = await withLookUp(orm, { memberEmail }, (em) =>
      em.execute("select current_setting('app.member_email') as value"),
    )
    expect(set).toEqual([{ value: memberEmail }])
  }
  for (const organizationId of [`'; set role postgres; --`, '*', '']) {
    const work = withOrganization(orm, organizationId, async () => {})
    await expect(work).rejects.toThrow(/invalid input syntax for type uuid/)
    const read = readInOrganization(orm, organizationId, { sql: 'select 1', parameters: [] })
    await expect(read).rejects.toThrow(/invalid input syntax for type uuid/)
  }
})

test('a parameter of a message with several statements stays a value', async () => {
  const { id } = await registerTestOrganization(server)
  for (const hostile of [`'; select 'x' as text; --`, `\\'; select 1; --`, `?`, `$1`, `E'\\''`]) {
    const statement = { sql: 'select ? as text', parameters: [hostile] }
    expect(await readInOrganization(server.platform.orm, id, statement)).toEqual([
      { text: hostile },
    ])
  }
})

test('the portal shows each member the own organization, and nothing of another key', async () => {
  const one = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  const foreign = await other.createKey()

  const response = await one.fetch('/api/portal/organization')
  expect(OrganizationResponse.parse(await response.json())).toMatchObject({
    id: one.id,
    slug: one.slug,
    planTier: 'free',
    monthlyDocLimit: 100,
    isActive: true,
  })
  const revoke = await one.fetch(`/api/portal/api-keys/${foreign.id}`, { method: 'DELETE' })
  expect(revoke.status).toBe(404)
  expect(await (await one.fetch('/api/portal/api-keys')).json()).toEqual([])
})
