import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../api/src/config.ts'
import { startEmbeddedPostgres } from '../../api/src/embedded-postgres/embedded-postgres.ts'
import { startService } from '../../api/src/start-service.ts'

/** A whole service with a database of its own, to look at. */
export interface DemoService extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Runs a statement as the database's superuser. */
  query(sql: string, values?: unknown[]): Promise<void>
}

export async function startDemoService(port: number): Promise<DemoService> {
  const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-demo-'))
  const log = pino({ level: 'error' })
  const postgres = await startEmbeddedPostgres(directory, log, { fsync: 'off' })
  const url = `http://localhost:${port}`
  const service = await startService(
    readConfig({
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: directory,
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }),
  )
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  return {
    url,
    fetch: (path, init) => fetch(url + path, init),
    query: async (sql, values = []) => {
      await client.query(sql, values)
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await service.stop()
      await postgres.stop()
      await rm(directory, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
