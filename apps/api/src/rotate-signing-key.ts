import { rotateSigningKey } from './attestation/signing-keys.ts'
import { systemClock } from './clock.ts'
import { readConfig } from './config.ts'
import { databaseAddress } from './database/database-address.ts'
import { migrateDatabase } from './database/migrate-database.ts'
import { openOrm } from './database/orm.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { queueTenant } from './job/job-queue.ts'
import { openLog } from './platform.ts'
import { loadSecretsKey } from './secrets-key.ts'

/**
 * Publishes a new signing key and ends; running processes sign with it once every cached key set is old. With the
 * embedded PostgreSQL the service has to be stopped meanwhile.
 */
const config = readConfig(process.env)
const log = openLog(config)
if (config.signingKeyPem !== undefined) {
  throw new Error('SIGNING_KEY gives the key: change that setting to rotate it')
}

const postgres =
  config.databaseUrl === undefined ? await startEmbeddedPostgres(config.dataDirectory, log) : null
try {
  const address = databaseAddress(config, postgres)
  const orm = await openOrm(await migrateDatabase(address, [queueTenant]), { maxConnections: 2 })
  const secretsKey = await loadSecretsKey(config)
  const { kid, signsFrom } = await rotateSigningKey({ orm, clock: systemClock, secretsKey })
  await orm.close()
  log.info({ kid, signsFrom }, 'a new signing key is published')
} finally {
  await postgres?.stop()
}
