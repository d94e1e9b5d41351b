import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Clock } from '../src/clock.ts'
import { type Config, readConfig } from '../src/config.ts'
import { answerRequests, httpServerOptions } from '../src/http/answer-requests.ts'
import { createApp } from '../src/http/app.ts'
import { startWork } from '../src/job/start-work.ts'
import { openPlatform, type Platform, type PlatformChoices } from '../src/platform.ts'
import { mountRpc } from '../src/rpc/mount-rpc.ts'
import { examineAnswers } from './examined-answers.ts'
import { sharedNormalizer } from './shared-normalizer.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** The whole service in this process, on its own database, directory and port. */
export interface TestServer extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string
  config: Config
  platform: Platform
  database: TestDatabase
  clock: TestClock
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

export interface TestClock extends Clock {
  /** Moves the service's time forward; the database's and the queue's stay. */
  advance(milliseconds: number): void
}

export interface TestServerOptions extends PlatformChoices {
  /** Variables of the environment; rate limits are off unless they are set. */
  environment?: Record<string, string>
  /** Whether this process also works off the queues. */
  work?: boolean
  /** Whether the service starts workers as its configuration says, in place of those that all tests share. */
  ownNormalizer?: boolean
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pdfnorm-test-'))
  const database = await createTestDatabase()
  const server = await startProcess({ dataDirectory, database, clock: testClock() }, options)
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await database.drop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Another process of the same service, as far as its clients, the database and the storage can tell. */
export async function startBeside(
  { config, database, clock }: TestServer,
  { environment, ...options }: TestServerOptions = {},
): Promise<TestServer> {
  return startProcess(
    { dataDirectory: config.dataDirectory, database, clock },
    { ...options, environment: { BASE_URL: config.baseUrl, ...environment } },
  )
}

/** What the processes of one service share. */
interface SharedByProcesses {
  dataDirectory: string
  database: TestDatabase
  clock: TestClock
}

async function startProcess(
  { dataDirectory, database, clock }: SharedByProcesses,
  { environment = {}, work = false, ownNormalizer = false, ...choices }: TestServerOptions,
): Promise<TestServer> {
  const server = createServer(httpServerOptions)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const config = readConfig({
    BASE_URL: url,
    DATA_DIR: dataDirectory,
    RATE_LIMITS: 'off',
    WORKER_CONCURRENCY: '2',
    ...environment,
  })
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const platform = await openPlatform(config, database.connection, {
    log,
    clock,
    ...(ownNormalizer || config.processRole === 'api' ? {} : { normalizer: sharedNormalizer }),
    ...choices,
  })
  examineAnswers(server)
  answerRequests(server, platform, createApp(platform, [mountRpc]))
  const working = work ? startWork(platform, database.connection) : null

  return {
    url,
    config,
    platform,
    database,
    clock,
    fetch: (path, init) => fetch(url + path, init),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await working?.stop(10_000)
      await platform[Symbol.asyncDispose]()
    },
  }
}

function testClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
}
