import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'

const page = new URL('../../../docs/operating/citus.md', import.meta.url)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('what is unique over all organizations is what the page about distribution names', async () => {
  const text = await readFile(page, 'utf8')
  const [, query = ''] = /```sql\n([^`]+)```/.exec(text) ?? []
  const indexes = await database.query<{ table: string; index: string }>(query)
  expect(indexes.length).toBeGreaterThan(10)

  const names = indexes.flatMap(({ index }) => /INDEX (\w+)/.exec(index)?.[1] ?? [])
  const unique = names.filter((name) => !name.endsWith('_pkey'))
  // One key replaces another of its organization: an id, as that of a primary key.
  const overAll = unique.filter((name) => name !== 'api_key_replaces_id_unique')
  expect(overAll.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
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
