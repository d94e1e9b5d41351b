import { Client, DatabaseError } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { poolConfig } from '../src/database/orm.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** A table of organizations, as the catalog has it: whoever adds one has it tested here. */
interface TenantTable {
  name: string
  /** The column that says whose a row is. */
  owner: string
  /** The columns of its primary key beside that one, each with a value of its type. */
  key: { column: string; value: string }[]
}

const mine = uuidv7()
const theirs = uuidv7()

let database: TestDatabase
let tables: TenantTable[]
/** Connects as the service does. */
let service: Client
beforeAll(async () => {
  database = await createTestDatabase()
  tables = await tenantTables()
  await bareRows()
  service = new Client(poolConfig(database.connection))
  await service.connect()
})
afterAll(async () => {
  await service.end()
  await database.drop()
})

test('the tables that belong to no organization are these', async () => {
  const others = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all($1)
     order by 1`,
    [tables.map(({ name }) => name)],
  )
  expect(others.map(({ name }) => name)).toEqual([
    'artifact',
    'migration',
    'rate_limit',
    'recurring_job',
    'signing_key',
    'stored_object',
  ])
})

test('nothing else shows rows past the policies: no view, and no function with the rights of its owner', async () => {
  const found = await database.query(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')
     union all
     select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
  )
  expect(found).toEqual([])
})

test('every table of organizations forces row-level security on whoever asks', async () => {
  const guards = await database.query<{ name: string; guarded: boolean }>(
    `select relname as name, relrowsecurity and relforcerowsecurity as guarded from pg_class
     where relnamespace = 'public'::regnamespace and relname = any($1)`,
    [tables.map(({ name }) => name)],
  )
  expect(guards.length).toBeGreaterThan(10)
  expect(guards.filter(({ guarded }) => !guarded)).toEqual([])
})

test('its policies are one for the own organization, look-ups that only read, and one for what expired', async () => {
  const policies = await database.query<{
    table: string
    name: string
    command: string
    using: string
    check: string | null
  }>(
    `select tablename as table, policyname as name, cmd as command, qual as using, with_check as check
     from pg_policies where schemaname = 'public' order by 1, 2`,
  )
  for (const { name, owner } of tables) {
    const own = policies.filter((policy) => policy.table === name && policy.name === 'organization')
    expect(own).toEqual([
      {
        table: name,
        name: 'organization',
        command: 'ALL',
        using: `(${owner} = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid)`,
        // None of its own: what may be read may be written.
        check: null,
      },
    ])
  }
  const ofExpired = policies.filter(({ name }) => name.startsWith('expired_'))
  expect(ofExpired.length).toBeGreaterThan(0)
  for (const { name, command, using, check } of ofExpired) {
    expect(command).toBe(name === 'expired_seen' ? 'SELECT' : 'DELETE')
    expect(using).toMatch(
      /^\(\w+ < \(NULLIF\(current_setting\('app\.expired_before'::text, true\), ''::text\)\)::timestamp with time zone\)$/,
    )
    expect(check).toBeNull()
  }
  const lookUps = policies.filter(
    ({ name }) => name !== 'organization' && !name.startsWith('expired_'),
  )
  expect(lookUps.length).toBeGreaterThan(0)
  for (const { name, command, using } of lookUps) {
    const column = name.replace(/^found_by_/, '')
    expect(command).toBe('SELECT')
    expect(using).toMatch(
      new RegExp(
        `^\\(${column} = NULLIF\\(current_setting\\('app\\.\\w+'::text, true\\), ''::text\\)\\)$`,
      ),
    )
  }
})

test('a query that forgets the organization sees no row of any table, changes none and adds none', async () => {
  for (const table of tables) {
    const outcome = {
      table: table.name,
      seen: await attempt(null, `select from ${table.name}`),
      changed: await attempt(null, `update ${table.name} set ${table.owner} = ${table.owner}`),
      deleted: await attempt(null, `delete from ${table.name}`),
      added: await attempt(null, insertInto(table, mine)),
    }
    expect(outcome).toEqual({ table: table.name, seen: 0, changed: 0, deleted: 0, added: refused })
  }
})

test('an organization sees and changes its own rows only, in every table', async () => {
  for (const { name, owner } of tables) {
    const outcome = {
      table: name,
      all: await attempt(mine, `select from ${name}`),
      theirs: await attempt(mine, `select from ${name} where ${owner} = '${theirs}'`),
      changed: await attempt(mine, `update ${name} set ${owner} = ${owner}`),
      changedOfThem: await attempt(
        mine,
        `update ${name} set ${owner} = ${owner} where ${owner} = '${theirs}'`,
      ),
      deleted: await attempt(mine, `delete from ${name}`),
      deletedOfThem: await attempt(mine, `delete from ${name} where ${owner} = '${theirs}'`),
    }
    expect(outcome).toEqual({
      table: name,
      all: 1,
      theirs: 0,
      changed: 1,
      changedOfThem: 0,
      deleted: 1,
      deletedOfThem: 0,
    })
  }
})

test('the database refuses to write a row for another organization, or to move one there, in every table', async () => {
  for (const table of tables) {
    const { name, owner } = table
    expect({
      table: name,
      added: await attempt(mine, insertInto(table, theirs)),
      moved: await attempt(mine, `update ${name} set ${owner} = '${theirs}'`),
      copied: await attempt(
        mine,
        `insert into ${name} select (jsonb_populate_record(t, '{"${owner}": "${theirs}"}')).* from ${name} t`,
      ),
    }).toEqual({ table: name, added: refused, moved: refused, copied: refused })
    // The same row for the own organization is not refused for whose it is.
    expect(await attempt(mine, insertInto(table, mine))).not.toBe(refused)
  }
})

test('after a transaction its connection sees nothing again', async () => {
  for (const { name } of tables) {
    expect(await attempt(mine, `select from ${name}`)).toBe(1)
    expect((await service.query(`select from ${name}`)).rowCount).toBe(0)
  }
})

const refused = 'refused by row-level security'

/**
 * Does one thing as the service would in a transaction of an organization, and undoes it.
 *
 * @returns how many rows it met, or why it failed
 */
async function attempt(organization: string | null, sql: string): Promise<number | string> {
  await service.query('begin')
  try {
    if (organization !== null) {
      await service.query(`select set_config('app.organization_id', $1, true)`, [organization])
    }
    return (await service.query(sql)).rowCount ?? 0
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return /violates row-level security policy/.test(error.message) ? refused : error.message
  } finally {
    await service.query('rollback')
  }
}

async function tenantTables(): Promise<TenantTable[]> {
  const columns = await database.query<{
    table: string
    column: string
    type: string
    isKey: boolean
  }>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
            exists (select from pg_index i
                    where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)) as "isKey"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     order by 1, a.attnum`,
  )
  return [...Map.groupBy(columns, ({ table }) => table)].flatMap(([name, own]) => {
    const owner = name === 'organization' ? 'id' : 'organization_id'
    if (!own.some(({ column }) => column === owner)) return []
    const key = own
      .filter(({ column, isKey }) => isKey && column !== owner)
      .map(({ column, type }) => ({ column, value: valueOf(type) }))
    return [{ name, owner, key }]
  })
}

/** An expression that has another value each time. */
function valueOf(type: string): string {
  const values: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    text: 'gen_random_uuid()::text',
    'timestamp with time zone': 'clock_timestamp()',
  }
  const value = values[type]
  if (value === undefined) throw new Error(`Add a value for keys of the type ${type}`)
  return value
}

function insertInto({ name, owner, key }: TenantTable, organization: string): string {
  const columns = [owner, ...key.map(({ column }) => column)]
  const values = [`'${organization}'`, ...key.map(({ value }) => value)]
  return `insert into ${name} (${columns.join(', ')}) values (${values.join(', ')})`
}

/**
 * A row for each of two organizations in every table. What a row has to hold beside whose it is plays no part here, so
 * this copy of the database does without it, and a new table needs nothing of its own.
 */
async function bareRows(): Promise<void> {
  await database.query(`
    do $$ declare statement text; begin
      for statement in
        select format('alter table %s drop constraint %I', conrelid::regclass, conname) from pg_constraint
        where connamespace = 'public'::regnamespace and contype in ('f', 'c')
        union all
        select format('alter table %s alter column %I drop not null', attrelid::regclass, attname)
        from pg_attribute a join pg_class c on c.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and attnotnull
          and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and attnum = any(i.indkey))
        union all
        select format('alter table %s alter column %I drop expression', attrelid::regclass, attname)
        from pg_attribute a join pg_class c on c.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attgenerated <> ''
      loop execute statement; end loop;
    end $$`)
  for (const table of tables) {
    await database.query(insertInto(table, mine))
    await database.query(insertInto(table, theirs))
  }
}
