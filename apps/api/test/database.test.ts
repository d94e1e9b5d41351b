import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { awaitMigration } from '../src/database/await-migration.ts'
import { migrateDatabase } from '../src/database/migrate-database.ts'
import { openOrm, poolConfig } from '../src/database/orm.ts'
import { withoutOrganization } from '../src/database/transaction.ts'
import { queueTenant } from '../src/job/job-queue.ts'
import { createTestDatabase } from './database.ts'

test('a new database is brought up to date by one of many processes that start at once', async () => {
  const url = await emptyDatabase()
  const connections = await Promise.all(
    Array.from({ length: 4 }, () => migrateDatabase({ url }, [queueTenant])),
  )
  expect(new Set(connections.map(({ role }) => role))).toEqual(new Set(['pdfnorm_app']))

  const applied = await run(url, 'select name from migration order by id')
  expect(applied[0]).toEqual({ name: '0001-accounts' })
  expect(new Set(applied.map((row) => JSON.stringify(row))).size).toBe(applied.length)
})

test('a plain role of DATABASE_URL does its own work, and row-level security holds for it', async () => {
  const name = `plain_${randomUUID().slice(0, 8)}`
  await run(
    inject('postgres').url,
    `create role ${name} login password 'x' nosuperuser nocreaterole`,
  )
  const url = asRole(await emptyDatabase(name), name)

  const connection = await migrateDatabase({ url }, [queueTenant])
  expect(connection.role).toBeNull()

  await run(
    url,
    `begin;
     select set_config('app.organization_id', '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11', true);
     insert into organization (id, name, slug, schema_name, allowed_regions, plan_tier, is_active, created_at)
     values ('0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11', 'x', 'x', 'org_0199c8a46f1e7c3a9d520b6f6f0d3c11',
       '{us-east-2}', 'free', true, now());
     commit`,
  )
  expect(await run(url, 'select count(*)::int as seen from organization')).toEqual([{ seen: 0 }])
})

test('a connection that breaks within a transaction does not stay taken', async () => {
  const database = await createTestDatabase()
  const orm = await openOrm(database.connection, { maxConnections: 1 })

  const broken = withoutOrganization(orm, async (em) => {
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await em.execute('select 1')
  })
  await expect(broken).rejects.toThrow(/terminat|connection/i)
  expect(await withoutOrganization(orm, (em) => em.execute('select 1 as one'))).toEqual([
    { one: 1 },
  ])

  // Waits for every connection that is not given back.
  await orm.close()
  await database.drop()
})

test('the role of the service reads and writes rows, and cannot change a table', async () => {
  const url = await emptyDatabase()
  const connection = await migrateDatabase({ url }, [queueTenant])
  const client = new Client(poolConfig(connection))
  await client.connect()
  onTestFinished(() => client.end())

  expect((await client.query('select * from organization')).rowCount).toBe(0)
  for (const statement of [
    'alter table organization disable row level security',
    'drop policy organization on organization',
    'drop table member',
    'truncate api_key',
    'create table mine (id integer)',
    'delete from migration',
  ]) {
    await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/)
  }
})

test('one user works through a pooler, and the owner of the tables migrates past it', async () => {
  const name = `work_${randomUUID().slice(0, 8)}`
  const directUrl = await emptyDatabase()
  await run(directUrl, `create role ${name} login password 'x' nosuperuser nocreaterole`)
  onTestFinished(async () => {
    await run(directUrl, `drop owned by ${name}; drop role ${name}`)
  })
  const url = asRole(directUrl, name)

  expect(await migrateDatabase({ url, directUrl }, [queueTenant])).toEqual({
    url,
    directUrl,
    role: null,
  })
  expect(await run(url, 'select from organization')).toEqual([])
  await expect(run(url, 'drop table organization')).rejects.toThrow(/must be owner/)
  expect(await awaitMigration({ url, directUrl }, [queueTenant], silent)).toEqual({
    url,
    directUrl,
    role: null,
  })
})

test('work that would see past row-level security does not begin', async () => {
  const directUrl = await emptyDatabase()
  const name = `above_${randomUUID().slice(0, 8)}`
  await run(directUrl, `create role ${name} login password 'x' superuser`)
  onTestFinished(async () => {
    await run(directUrl, `drop owned by ${name}; drop role ${name}`)
  })
  const url = asRole(directUrl, name)
  await expect(migrateDatabase({ url, directUrl }, [queueTenant])).rejects.toThrow(/plain user/)
})

test('a process that starts before the migration waits for it', async () => {
  const url = await emptyDatabase()
  const told = Promise.withResolvers<string>()
  const log = pino({ level: 'info' }, { write: told.resolve })
  const waiting = awaitMigration({ url }, [queueTenant], log)
  expect(await told.promise).toContain('not yet migrated')

  await migrateDatabase({ url }, [queueTenant])
  expect(await waiting).toEqual({ url, role: 'pdfnorm_app' })
})

const silent = pino({ level: 'silent' })

async function emptyDatabase(owner = 'postgres'): Promise<string> {
  const { url } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await run(url, `create database ${name} owner ${owner}`)
  onTestFinished(async () => {
    await run(url, `drop database ${name} with (force)`)
    if (owner !== 'postgres') await run(url, `drop role ${owner}`)
  })
  return url.replace('/pdfnorm?', `/${name}?`)
}

function asRole(url: string, role: string): string {
  return url.replace(/\/\/postgres:[^@]+@/, `//${role}:x@`)
}

async function run(url: string, sql: string): Promise<object[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<object>(sql)).rows
  } finally {
    await client.end()
  }
}
