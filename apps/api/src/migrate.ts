import { readConfig } from './config.ts'
import { databaseAddress } from './database/database-address.ts'
import { migrateDatabase } from './database/migrate-database.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { queueTenant } from './job/job-queue.ts'
import { openLog } from './platform.ts'

/** Brings the database up to date and ends, for deployments that do so before they start anything. */
const config = readConfig(process.env)
const postgres =
  config.databaseUrl === undefined
    ? await startEmbeddedPostgres(config.dataDirectory, openLog(config))
    : null
try {
  await migrateDatabase(databaseAddress(config, postgres), [queueTenant])
} finally {
  await postgres?.stop()
}
