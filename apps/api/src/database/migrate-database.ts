import { Client } from 'pg'
import { type DatabaseConnection, openOrm } from './orm.ts'
import { ensurePlainRole, grantToPlainRole } from './plain-role.ts'

/** What else keeps tables in the database (the job queue): brought up to date under the same lock. */
export interface DatabaseTenant {
  schema: string
  install(connection: DatabaseConnection): Promise<void>
}

/** Any number that no other program takes on this database. */
const migrationLock = 6_273_101

/**
 * Brings the database up to date and returns how the service's work connects to it.
 *
 * Safe to call from many processes at once: one does the work, the others wait for it.
 */
export async function migrateDatabase(
  url: string,
  tenants: readonly DatabaseTenant[],
): Promise<DatabaseConnection> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const role = await ensurePlainRole(client)

    const owner: DatabaseConnection = { url, role: null }
    await applyMigrations(owner)
    for (const tenant of tenants) await tenant.install(owner)

    const schemas = ['public', ...tenants.map((tenant) => tenant.schema)]
    if (role !== null) await grantToPlainRole(client, role, schemas)
    return { url, role }
  } finally {
    await client.end()
  }
}

async function applyMigrations(owner: DatabaseConnection): Promise<void> {
  const orm = await openOrm(owner, { maxConnections: 2 })
  try {
    await orm.migrator.up()
  } finally {
    await orm.close()
  }
}
