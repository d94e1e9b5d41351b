import { setTimeout } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Logger } from 'pino'
import type { DatabaseAddress } from './database-address.ts'
import { type DatabaseTenant, workConnection } from './migrate-database.ts'
import { migrations } from './migrations/migrations.ts'
import type { DatabaseConnection } from './orm.ts'
import { isAboveRows, plainRole } from './plain-role.ts'

const lookEveryMs = 1000

/**
 * Waits until another process has brought the database up to date (`npm run migrate`), for deployments in which this
 * one may not.
 *
 * @returns how the service's work connects to it
 * @throws at the signal
 */
export async function awaitMigration(
  address: DatabaseAddress,
  tenants: readonly DatabaseTenant[],
  log: Logger,
  signal?: AbortSignal,
): Promise<DatabaseConnection> {
  const client = new Client({ connectionString: address.url })
  await client.connect()
  try {
    let isTold = false
    while (!(await isMigrated(client, tenants))) {
      if (!isTold) log.info('the database is not yet migrated for this version: waiting')
      isTold = true
      await setTimeout(lookEveryMs, undefined, { signal })
    }
    return await workConnection(address, (await isAboveRows(client)) ? plainRole : null)
  } finally {
    await client.end()
  }
}

async function isMigrated(client: Client, tenants: readonly DatabaseTenant[]): Promise<boolean> {
  try {
    const { rows } = await client.query<{ name: string }>('select name from public.migration')
    const applied = new Set(rows.map(({ name }) => name))
    if (!migrations.every(({ name }) => applied.has(name))) return false
    for (const tenant of tenants) if (!(await tenant.isInstalled(client))) return false
    return true
  } catch (error) {
    if (error instanceof DatabaseError && notYet.has(error.code ?? '')) return false
    throw error
  }
}

/** PostgreSQL, appendix A: no such schema, no such table, no right to it yet. */
const notYet = new Set(['3F000', '42P01', '42501'])
