import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql'
import type { PoolConfig } from 'pg'

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>
type DialectDriver = ReturnType<Dialect['createDriver']>

/**
 * MikroORM's driver, but one that gives a connection back to the pool also when it broke within a transaction. Kysely
 * keeps it then, for `rollback` fails too (kysely-org/kysely#1990): every restart of the database would leave fewer
 * connections, and closing the pool would wait for them for ever.
 */
export const ReleasingDriver: typeof PostgreSqlDriver = class extends PostgreSqlDriver {
  protected override readonly connection = new ReleasingConnection(this.config)
}

class ReleasingConnection extends PostgreSqlConnection {
  override createKyselyDialect(overrides: PoolConfig): Dialect {
    const dialect = super.createKyselyDialect(overrides)
    const createDriver = dialect.createDriver.bind(dialect)
    return Object.assign(dialect, { createDriver: () => releasing(createDriver()) })
  }
}

function releasing(driver: DialectDriver): DialectDriver {
  const begin = driver.beginTransaction.bind(driver)
  const rollback = driver.rollbackTransaction.bind(driver)
  return Object.assign(driver, {
    async beginTransaction(
      ...[connection, settings]: Parameters<DialectDriver['beginTransaction']>
    ) {
      try {
        await begin(connection, settings)
      } catch (error) {
        await driver.releaseConnection(connection)
        throw error
      }
    },
    // Whoever rolls back has the fault that led to it. What is rolled back on a broken connection the database has
    // rolled back already, and the pool throws such a connection away when it is given back.
    rollbackTransaction: (...[connection]: Parameters<DialectDriver['rollbackTransaction']>) =>
      rollback(connection).catch(() => {}),
  })
}
