import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openOrm, poolConfig } from '../src/database/orm.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

const page = new URL('../../../docs/operating/citus.md', import.meta.url)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('only what the page names is unique over all organizations', async () => {
  const { text, queries } = await readPage()
  const indexes = await database.query<{ name: string }>(queries[0] ?? '')
  const named = [...text.matchAll(/`(\w+_unique)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(indexes.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
})

test('every reference between rows of organizations stays within one', async () => {
  const { queries } = await readPage()
  expect(await database.query(queries[1] ?? '')).toEqual([])

  // What the query would find.
  const own = await createTestDatabase()
  onTestFinished(() => own.drop())
  await own.query(`
    create unique index submission_id on submission (id);
    alter table batch add column first_id uuid constraint of_any references submission (id);
    alter table batch add constraint that_leaves foreign key (organization_id, first_id)
      references submission on delete set null`)
  const found = await own.query<{ name: string }>(queries[1] ?? '')
  expect(found.map(({ name }) => name).toSorted()).toEqual(['of_any', 'that_leaves'])
})

test('every row of an organization says whose it is', async () => {
  const nullable = await database.query(
    `select attrelid::regclass::text as table, attname as column
     from pg_policy join pg_attribute on attrelid = polrelid
     where polname = 'organization' and not attnotnull
       and attname = (regexp_match(pg_get_expr(polqual, polrelid), '^\\((\\w+) ='))[1]`,
  )
  expect(nullable).toEqual([])
})

test('a filled database gets the keys in place, and loses no row', async () => {
  const url = await databaseOfPlainOwner()
  const orm = await openOrm({ url, role: null }, { maxConnections: 1 })
  onTestFinished(() => orm.close())
  await orm.migrator.up({ to: '0011-data-protection' })

  const [mine, theirs] = [uuidv7(), uuidv7()]
  for (const organizationId of [mine, theirs]) await fill(url, organizationId)
  const before = await countedRows(url, [mine, theirs])
  await orm.migrator.up()

  expect(await countedRows(url, [mine, theirs])).toEqual(before)
  expect(Object.values(before).filter((count) => count !== 2)).toEqual([])

  // The new references hold for rows that were there, and refuse what is another organization's.
  const [member] = await inOrganization(url, theirs, 'select id from member')
  await expect(
    inOrganization(url, mine, 'update session set member_id = $1', [member?.['id']]),
  ).rejects.toThrow(/session_member_id_fkey/)
  await inOrganization(url, mine, 'delete from member')
  expect(await inOrganization(url, mine, 'select id from session')).toEqual([])
  expect(await inOrganization(url, mine, 'select token_hash from refresh_token')).toEqual([])
  expect(await inOrganization(url, theirs, 'select id from session')).toHaveLength(1)
})

test('a row is found by its id alone, however many its organization has', async () => {
  const organizationId = uuidv7()
  await database.query(`
    insert into organization (id, name, slug, schema_name, allowed_regions, plan_tier, is_active, created_at)
      values ('${organizationId}', 'x', 'x', 'org_${organizationId.replaceAll('-', '')}', '{us-east-2}', 'free',
        true, now());
    insert into batch (id, organization_id, api_version, name, created_at, total, completed, failed, rejected,
        announced_total)
      select gen_random_uuid(), '${organizationId}', 'v', 'x', now(), 0, 0, 0, 0, 0 from generate_series(1, 20000);
    insert into api_key (id, organization_id, name, key_prefix, key_hash, scopes, api_version, created_at)
      select gen_random_uuid(), '${organizationId}', 'x', 'x', gen_random_uuid(), '{x}', 'v', now()
      from generate_series(1, 20000);
    analyze batch, api_key`)

  const byId = await plan(organizationId, `update batch set total = 1 where id = '${uuidv7()}'`)
  expect(byId).toMatch(/Index Scan using batch_pkey/)
  expect(byId).toMatch(/Index Cond: .*organization_id = .*id = /)

  // Before the organization is known.
  const byHash = await plan('', `select organization_id from api_key where key_hash = 'x'`)
  expect(byHash).toMatch(/Index (Only )?Scan using api_key_key_hash/)
})

async function readPage(): Promise<{ text: string; queries: string[] }> {
  const text = await readFile(page, 'utf8')
  const queries = [...text.matchAll(/```sql\n([^`]+)```/g)].map(([, query = '']) => query)
  return { text, queries }
}

/** How the database executes a statement of the service in a transaction of an organization. */
async function plan(organizationId: string, statement: string): Promise<string> {
  const client = new Client(poolConfig(database.connection))
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_local('app.organization_id', $1)`, [organizationId])
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.end()
  }
}

/** A database whose owner row-level security binds, too. */
async function databaseOfPlainOwner(): Promise<string> {
  const { url } = inject('postgres')
  const name = `plain_${randomUUID().replaceAll('-', '')}`
  const admin = new Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create role ${name} login password 'x' nosuperuser nobypassrls`)
  await admin.query(`create database ${name} owner ${name}`)
  onTestFinished(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.query(`drop role ${name}`)
    await admin.end()
  })
  return url.replace('/pdfnorm?', `/${name}?`).replace(/\/\/postgres:[^@]+@/, `//${name}:x@`)
}

async function inOrganization(
  url: string,
  organizationId: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.organization_id', $1, true)`, [organizationId])
    const { rows } = await client.query<Record<string, unknown>>(sql, values)
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

/** A row in every table whose keys change, and in those that refer to them. */
async function fill(url: string, organizationId: string): Promise<void> {
  const id = () => `'${uuidv7()}'`
  const [own, member, session, invitation, submission] = [
    `'${organizationId}'`,
    id(),
    id(),
    id(),
    id(),
  ]
  const key = id()
  await inOrganization(
    url,
    organizationId,
    `
    insert into organization (id, name, slug, schema_name, allowed_regions, plan_tier, is_active, created_at)
      values (${own}, 'x', ${own}, 'org_' || replace(${own}, '-', ''), '{us-east-2}', 'free', true, now());
    insert into member (id, organization_id, email, role, is_active, email_verified, created_at)
      values (${member}, ${own}, ${member}, 'owner', true, true, now());
    insert into session (id, organization_id, member_id, created_at, expires_at)
      values (${session}, ${own}, ${member}, now(), now());
    insert into refresh_token (token_hash, organization_id, session_id, issued_at, expires_at)
      values (${session}, ${own}, ${session}, now(), now());
    insert into invitation (id, organization_id, email, role, created_at)
      values (${invitation}, ${own}, 'x', 'member', now());
    insert into one_time_token (token_hash, organization_id, invitation_id, purpose, expires_at)
      values (${invitation}, ${own}, ${invitation}, 'accept-invite', now());
    insert into api_key (id, organization_id, name, key_prefix, key_hash, scopes, api_version, created_at, replaces_id)
      values (${key}, ${own}, 'x', 'x', ${key}, '{x}', 'v', now(), ${key});
    insert into submission (id, organization_id, api_version, region, options, original_sha256, original_size_bytes,
        status, asynchronous, attempts, created_at, processing_time_ms, warnings, called, faults)
      values (${submission}, ${own}, 'v', 'us-east-2', '{}', 'x', 1, 'PENDING', true, 0, now(), 0, '[]', false, 0);
    insert into idempotency_key (organization_id, key, file_sha256, submission_id, created_at, expires_at)
      values (${own}, 'x', 'x', ${submission}, now(), now());
    insert into report (submission_id, organization_id, output_sha256, completed_at, expires_at, document)
      values (${submission}, ${own}, 'x', now(), now(), '{}');
    insert into batch (id, organization_id, api_version, name, created_at, total, completed, failed, rejected,
        announced_total)
      values (${id()}, ${own}, 'v', 'x', now(), 0, 0, 0, 0, 0);
    insert into data_export (id, organization_id, requested_by, region, status, build, requested_at)
      values (${id()}, ${own}, ${member}, 'us-east-2', 'pending', 1, now());
    insert into webhook (id, organization_id, url, events, active, created_at)
      values (${id()}, ${own}, 'x', '{x}', true, now());
    insert into webhook_secret (id, organization_id, signer_id, sealed_secret, created_at)
      values (${id()}, ${own}, ${own}, 'x', now());
    insert into webhook_event (id, organization_id, webhook_id, configured, url, event, payload, status, asked_for,
        sends, attempts, created_at, next_attempt_at)
      values (${id()}, ${own}, ${id()}, true, 'x', 'x', 'x', 'pending', false, 0, '[]', now(), now())`,
  )
}

/** The rows of organizations in the tables that `fill` fills. */
async function countedRows(
  url: string,
  organizationIds: readonly string[],
): Promise<Record<string, number>> {
  const tables = [
    'member',
    'session',
    'refresh_token',
    'invitation',
    'one_time_token',
    'api_key',
    'submission',
    'idempotency_key',
    'report',
    'batch',
    'data_export',
    'webhook',
    'webhook_secret',
    'webhook_event',
  ]
  const counts: Record<string, number> = {}
  for (const table of tables) {
    for (const organizationId of organizationIds) {
      const rows = await inOrganization(url, organizationId, `select from ${table}`)
      counts[table] = (counts[table] ?? 0) + rows.length
    }
  }
  return counts
}
