import { Client } from 'pg'
import { ConfigurationError } from '../config.ts'
import type { DatabaseAddress } from './database-address.ts'
import { type DatabaseConnection, openOrm, poolConfig } from './orm.ts'
import { ensurePlainRole, grantToPlainRole, isAboveRows } from './plain-role.ts'

/** What else keeps tables in the database (the job queue): brought up to date under the same lock. */
export interface DatabaseTenant {
  schema: string
  install(connection: DatabaseConnection): Promise<void>
  /** Whether the tables are those of this version or of a later one. */
  isInstalled(client: Client): Promise<boolean>
}

/** Any number that no other program takes on this database. */
const migrationLock = 6_273_101

/**
 * Brings the database up to date and returns how the service's work connects to it.
 *
 * Safe to call from many processes at once: one does the work, the others wait for it.
 *
 * @throws when the work would see past row-level security, and ConfigurationError when the owner is not let in
 */
export async function migrateDatabase(
  address: DatabaseAddress,
  tenants: readonly DatabaseTenant[],
): Promise<DatabaseConnection> {
  const ownerUrl = address.directUrl ?? address.url
  const client = await connectAsOwner(address)
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const role = await ensurePlainRole(client)

    const owner: DatabaseConnection = { url: ownerUrl, role: null }
    await applyMigrations(owner)
    for (const tenant of tenants) await tenant.install(owner)

    const schemas = ['public', ...tenants.map((tenant) => tenant.schema)]
    const worker = otherUser(address) ?? role
    if (worker !== null) await grantToPlainRole(client, worker, schemas)
    return await workConnection(address, role)
  } finally {
    await client.end()
  }
}

async function connectAsOwner({ url, directUrl }: DatabaseAddress): Promise<Client> {
  const client = new Client({ connectionString: directUrl ?? url })
  try {
    await client.connect()
    return client
  } catch (error) {
    const variable = directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
    throw new ConfigurationError([
      { variable, message: `leads to no database: ${reasonOf(error)}` },
    ])
  }
}

/** Of a name with several addresses each has failed in its way, and only together they say why. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** How the work connects, for a user that may be above rows and then becomes `role`. */
export async function workConnection(
  { url, directUrl }: DatabaseAddress,
  role: string | null,
): Promise<DatabaseConnection> {
  const connection = {
    url,
    role: otherUser({ url, directUrl }) === null ? role : null,
    ...(directUrl !== undefined && { directUrl }),
  }
  // A pooler may drop the option that names the role: then every organization would see all rows.
  const client = new Client(poolConfig(connection))
  await client.connect()
  try {
    if (!(await isAboveRows(client))) return connection
  } finally {
    await client.end()
  }
  throw new Error(
    'The user of DATABASE_URL is a superuser or has BYPASSRLS, and could not be made a plain role: ' +
      'name a plain user there, and the owner of the tables in DATABASE_DIRECT_URL.',
  )
}

/** The user of the work, where it is not the owner's. */
function otherUser({ url, directUrl }: DatabaseAddress): string | null {
  if (directUrl === undefined) return null
  const user = decodeURIComponent(new URL(url).username)
  return user === decodeURIComponent(new URL(directUrl).username) ? null : user
}

async function applyMigrations(owner: DatabaseConnection): Promise<void> {
  const orm = await openOrm(owner, { maxConnections: 2 })
  try {
    await orm.migrator.up()
  } finally {
    await orm.close()
  }
}
