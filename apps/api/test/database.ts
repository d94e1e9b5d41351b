import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { DatabaseConnection } from '../src/database/orm.ts'
import { templateDatabase } from './postgres.ts'

export interface TestDatabase {
  connection: DatabaseConnection
  /** Runs a statement past row-level security, for what a test looks at behind the service's back. */
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

/** A migrated database of its own on the server of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, role } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await run(url, `create database ${name} template ${templateDatabase}`)

  const own = url.replace('/pdfnorm?', `/${name}?`)
  return {
    connection: { url: own, role },
    query: (sql, values) => run(own, sql, values),
    drop: async () => {
      await run(url, `drop database ${name} with (force)`)
    },
  }
}

async function run<Row extends object>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}
