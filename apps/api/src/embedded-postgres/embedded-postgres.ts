import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { releaseDataDirectory, takeDataDirectory } from './data-directory-owner.ts'
import { initializeCluster } from './initialize-cluster.ts'
import { nobody, serverBinaries } from './server-binaries.ts'
import { ownedDirectory, socketDirectory } from './server-directories.ts'
import { endOrphan, type Server, startServer } from './server-process.ts'

export interface EmbeddedPostgres {
  /** `postgres://…` over a Unix socket, as superuser. */
  url: string
  /** Resolves if the server ends without having been asked to. */
  lost: Promise<void>
  /** Ends all connections and the server; resolves when it is gone. */
  stop(): Promise<void>
}

/** The database of the service in the cluster. */
const databaseName = 'pdfnorm'

/**
 * Starts a PostgreSQL server of our own in `dataDirectory/postgresql`; it listens on a Unix socket
 * only, so it takes no port. A cluster is made at the first start.
 *
 * As root the server runs as nobody. A server that a killed process left behind is ended first.
 *
 * @param settings of the server, such as `fsync`
 * @throws Error if another running process uses the same data directory, or if the server fails
 */
export async function startEmbeddedPostgres(
  dataDirectory: string,
  log: Logger,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new Error('The embedded PostgreSQL needs Linux or macOS. Set DATABASE_URL.')
  }
  await mkdir(dataDirectory, { recursive: true })
  const directory = await realpath(dataDirectory)
  await takeDataDirectory(directory)

  const user = process.getuid?.() === 0 ? nobody : null
  const server: Server = {
    binaries: await serverBinaries(user),
    cluster: join(directory, 'postgresql'),
    sockets: await ownedDirectory(socketDirectory(directory), user),
    user,
    settings,
    log,
  }
  await endOrphan(server)
  const password = await readOrMakePassword(directory)
  await initializeCluster(server, password)
  const running = await startServer(server, urlOf(server, password, 'postgres'))

  try {
    await createDatabaseOnce(urlOf(server, password, 'postgres'))
  } catch (error) {
    await running.stop()
    throw error
  }
  return {
    url: urlOf(server, password, databaseName),
    lost: running.lost,
    async stop() {
      await running.stop()
      await rm(server.sockets, { recursive: true, force: true })
      await releaseDataDirectory(directory)
    },
  }
}

function urlOf(server: Server, password: string, database: string): string {
  const host = encodeURIComponent(server.sockets)
  return `postgres://postgres:${password}@localhost/${database}?host=${host}`
}

/** The superuser's password, readable by the service's user alone. */
async function readOrMakePassword(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, 'postgresql.password')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known.trim() !== '') return known.trim()

  const password = randomBytes(24).toString('hex')
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${password}\n`, { mode: 0o600 })
  await rm(path, { force: true })
  await link(draft, path)
  await rm(draft)
  return password
}

async function createDatabaseOnce(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      databaseName,
    ])
    if (rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
}
