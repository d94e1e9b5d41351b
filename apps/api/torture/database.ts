import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { socketDirectory } from '../src/embedded-postgres/server-directories.ts'
import { KeptProcess } from './kept-process.ts'

/** The database server in a process of its own, and a look behind the service's back. */
export class Database {
  readonly process: KeptProcess
  readonly #directory: string
  #url = ''

  constructor(directory: string, logPath: string) {
    this.#directory = directory
    this.process = new KeptProcess({
      name: 'database',
      module: new URL('./database-owner.ts', import.meta.url).pathname,
      args: [directory],
      env: {},
      logPath,
      answers: () => this.#answers(),
    })
  }

  /** As superuser, past row-level security. */
  get url(): string {
    return this.#url
  }

  async query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.#url })
    // It may be killed at any moment; the query says so too.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Row>(sql, values)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Ends the server itself, without its owner: SIGQUIT is PostgreSQL's immediate shutdown. */
  async kill(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const lines = await readFile(join(this.#directory, 'postgresql', 'postmaster.pid'), 'utf8')
    process.kill(Number(lines.split('\n')[0]), signal)
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#findUrl()
      await this.query('select 1')
      return true
    } catch {
      return false
    }
  }

  async #findUrl(): Promise<void> {
    const password = await readFile(join(this.#directory, 'postgresql.password'), 'utf8')
    const host = encodeURIComponent(socketDirectory(this.#directory))
    this.#url = `postgres://postgres:${password.trim()}@localhost/pdfnorm?host=${host}`
  }
}
