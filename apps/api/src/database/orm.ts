import { UnderscoreNamingStrategy } from '@mikro-orm/core'
import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import type { PoolConfig } from 'pg'
import { entities } from './entities.ts'
import { migrations } from './migrations/migrations.ts'
import { ReleasingDriver } from './releasing-driver.ts'

/** Whoever gets no connection in this time is told that the service is unavailable. */
const connectionPatienceMs = 30_000

/** How to reach the database, and the role that its work is done as. */
export interface DatabaseConnection {
  /** `postgres://…`; a directory in the query parameter `host` is a Unix socket. */
  url: string
  /** The plain role to switch to; null if the connecting role is plain itself. */
  role: string | null
  /** Where `url` is a pooler that keeps no session: how to reach the database itself. */
  directUrl?: string
}

/**
 * Opens the pool and the entities of the service. Rows of organizations are reachable only inside
 * the transactions of database/transaction.ts.
 */
export async function openOrm(
  connection: DatabaseConnection,
  pool: { maxConnections: number },
): Promise<MikroORM> {
  return MikroORM.init({
    driver: ReleasingDriver,
    entities,
    extensions: [Migrator],
    namingStrategy: UnderscoreNamingStrategy,
    dbName: new URL(connection.url).pathname.slice(1),
    driverOptions: {
      ...poolConfig(connection),
      max: pool.maxConnections,
      connectionTimeoutMillis: connectionPatienceMs,
    },
    migrations: {
      migrationsList: migrations,
      tableName: 'migration',
      snapshot: false,
      disableForeignKeys: false,
      silent: true,
    },
    allowGlobalContext: false,
    // Every fault reaches the caller as an exception; the service logs it once, with its request.
    logger: () => undefined,
  })
}

/**
 * What `pg` needs to connect as the plain role. The role is a start-up option, so each connection
 * of the pool has it before its first statement.
 */
export function poolConfig({ url, role }: DatabaseConnection): PoolConfig {
  return { connectionString: url, ...(role !== null && { options: `-c role=${role}` }) }
}

/** What `pg` needs for a connection with a session of its own, past a pooler: to listen on. */
export function directConfig(connection: DatabaseConnection): PoolConfig {
  const { directUrl } = connection
  return directUrl === undefined ? poolConfig(connection) : { connectionString: directUrl }
}
