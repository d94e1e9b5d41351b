import { pino } from 'pino'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

/** Runs the database in the directory it is given, until it is told to end or the database is gone. */
const log = pino({ level: 'warn' })
const postgres = await startEmbeddedPostgres(process.argv[2] ?? '', log, {
  max_connections: '400',
  // The operating system survives all that is done here, and with it what was written and not flushed.
  fsync: 'off',
})
process.on('SIGTERM', () => {
  void postgres.stop().then(() => process.exit(0))
})
await postgres.lost
process.exit(1)
