import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Express } from 'express'
import type { Config } from './config.ts'
import { awaitMigration } from './database/await-migration.ts'
import { databaseAddress } from './database/database-address.ts'
import { migrateDatabase } from './database/migrate-database.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { answerRequests, httpServerOptions } from './http/answer-requests.ts'
import { createApp, createProbes } from './http/app.ts'
import { closingConnections } from './http/closing-connections.ts'
import { queueTenant } from './job/job-queue.ts'
import { startWork } from './job/start-work.ts'
import { openLog, openPlatform, type Platform } from './platform.ts'
import { mountRpc } from './rpc/mount-rpc.ts'
import { traceWith } from './tracing.ts'

export interface RunningService {
  /** The port it listens on; null for a worker that has none. */
  port: number | null
  /** Resolves with the reason if the service cannot go on; without one it never does. */
  lost: Promise<string>
  /** Drains and ends everything that was started, in the opposite order. */
  stop(): Promise<void>
}

/** How long running requests and documents have to end when the service stops, in milliseconds. */
const drainMs = 25_000

/**
 * Starts what the configured role of this process needs.
 *
 * @param signal aborted when the start is not wanted any more: it does not wait for others then
 */
export async function startService(config: Config, signal?: AbortSignal): Promise<RunningService> {
  const log = openLog(config)
  // Ends in the opposite order of the starts, also when a start in the middle fails.
  const ends: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }

  try {
    if (config.otlpEndpoint !== undefined) ends.push(await startTracing(config))
    let lost = new Promise<string>(() => undefined)
    let postgres: { url: string } | null = null
    if (config.databaseUrl === undefined) {
      const embedded = await startEmbeddedPostgres(config.dataDirectory, log)
      ends.push(() => embedded.stop())
      lost = embedded.lost.then(() => 'The embedded PostgreSQL ended.')
      postgres = embedded
    }
    const address = databaseAddress(config, postgres)
    const connection = config.migrateAtStart
      ? await migrateDatabase(address, [queueTenant])
      : await awaitMigration(address, [queueTenant], log, signal)
    const platform = await openPlatform(config, connection, { log })
    ends.push(async () => platform[Symbol.asyncDispose]())

    const work = config.processRole === 'api' ? null : startWork(platform, connection)
    ends.push(async () => work?.stop(drainMs))
    if (config.port === null) {
      log.info({ role: config.processRole }, 'ready')
      return { port: null, lost, stop }
    }

    const isWorker = config.processRole === 'worker'
    const app = isWorker ? createProbes(platform) : createApp(platform, [mountRpc])
    const server = await listenOn(config.port, platform, app)
    ends.push(() => Promise.all([server.drain(), work?.stop(drainMs)]).then(() => undefined))
    log.info({ role: config.processRole, port: server.port }, 'ready')
    return { port: server.port, lost, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @returns what sends the last spans */
async function startTracing(config: Config): Promise<() => Promise<void>> {
  const { openTracer } = await import('./open-telemetry.ts')
  const { tracer, stop } = openTracer(config.processRole, config.traceSampleRatio)
  traceWith(tracer)
  return stop
}

async function listenOn(
  port: number,
  platform: Platform,
  app: Express,
): Promise<{ port: number; drain(): Promise<void> }> {
  const server = createServer(httpServerOptions)
  answerRequests(server, platform, app)
  const connections = closingConnections(server)
  server.listen(port)
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    async drain() {
      platform.lifecycle.stopping = true
      connections.begin()
      // Whoever spreads the requests hears of it meanwhile; requests that come are answered.
      if (platform.config.shutdownDelayMs > 0) await delay(platform.config.shutdownDelayMs)
      await close(server)
    },
  }
}

/** No new connection; requests that run are answered, up to a limit. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearTimeout(impatience)
}
