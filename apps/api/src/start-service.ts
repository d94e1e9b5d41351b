import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { migrateDatabase } from './database/migrate-database.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { answerRequests, httpServerOptions } from './http/answer-requests.ts'
import { createApp } from './http/app.ts'
import { queueTenant } from './job/job-queue.ts'
import { startWork } from './job/start-work.ts'
import { openLog, openPlatform } from './platform.ts'
import { mountRpc } from './rpc/mount-rpc.ts'

export interface RunningService {
  /** The port it listens on; null for a worker. */
  port: number | null
  /** Resolves with the reason if the service cannot go on; without one it never does. */
  lost: Promise<string>
  /** Drains and ends everything that was started, in the opposite order. */
  stop(): Promise<void>
}

/** How long running requests and documents have to end when the service stops, in milliseconds. */
const drainMs = 25_000

/** Starts what the configured role of this process needs. */
export async function startService(config: Config): Promise<RunningService> {
  const log = openLog(config)
  // Ends in the opposite order of the starts, also when a start in the middle fails.
  const ends: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }

  try {
    let url = config.databaseUrl
    let lost = new Promise<string>(() => undefined)
    if (url === undefined) {
      const postgres = await startEmbeddedPostgres(config.dataDirectory, log)
      ends.push(() => postgres.stop())
      url = postgres.url
      lost = postgres.lost.then(() => 'The embedded PostgreSQL ended.')
    }
    const connection = await migrateDatabase(url, [queueTenant])
    const platform = await openPlatform(config, connection, { log })
    ends.push(async () => platform[Symbol.asyncDispose]())

    if (config.processRole !== 'api') {
      const work = startWork(platform, connection)
      ends.push(() => work.stop(drainMs))
    }
    if (config.processRole === 'worker') return { port: null, lost, stop }

    const server = createServer(httpServerOptions)
    answerRequests(server, platform, createApp(platform, [mountRpc]))
    server.listen(config.port)
    await once(server, 'listening')
    ends.push(() => drain(server))
    return { port: (server.address() as AddressInfo).port, lost, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** No new connection; requests that run are answered, up to a limit. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearTimeout(impatience)
}
