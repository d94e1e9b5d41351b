import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../src/database/migrate-database.ts'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { queueTenant } from '../src/job/job-queue.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run, as superuser, and the role that the service's work is done as. */
    postgres: { url: string; role: string | null }
  }
}

/** A migrated database that every test file gets a copy of. */
export const templateDatabase = 'template_pdfnorm'

/** Starts one PostgreSQL server for the whole run; nothing on it is worth a flush to the disk. */
export async function setup(project: TestProject): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-test-'))
  const server = await startEmbeddedPostgres(directory, pino({ level: 'fatal' }), {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  })

  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  const template = server.url.replace('/pdfnorm?', `/${templateDatabase}?`)
  const { role } = await migrateDatabase({ url: template }, [queueTenant])
  project.provide('postgres', { url: server.url, role })

  endRun = async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 20 })
  }
}

export async function teardown(): Promise<void> {
  await endRun?.()
}

let endRun: (() => Promise<void>) | undefined
