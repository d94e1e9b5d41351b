// A process that starts the embedded PostgreSQL in the directory it is given, and inserts numbers.
// It prints `ready`, then each number that the database has acknowledged.
import { Client } from 'pg'
import { pino } from 'pino'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

const { url } = await startEmbeddedPostgres(process.argv[2] ?? '', pino({ level: 'silent' }))
const client = new Client({ connectionString: url })
client.on('error', () => undefined)
await client.connect()
await client.query('create table if not exists counted (number integer)')
process.stdout.write('ready\n')
for (let number = 0; ; number += 1) {
  await client.query('insert into counted values ($1)', [number])
  process.stdout.write(`${number}\n`)
}
