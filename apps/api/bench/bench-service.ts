import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../torture/database.ts'
import { freePorts } from '../torture/free-ports.ts'
import { isHealthy, KeptProcess } from '../torture/kept-process.ts'

/** The service in processes of its own on a PostgreSQL of its own, for one bench. */
export interface BenchService {
  url: string
  database: Database
  api: KeptProcess
  /** Not started. */
  workers: KeptProcess[]
  stop(): Promise<void>
}

/** @param workers processes that work off the queues, each with one normalizer */
export async function startBenchService(workers: number): Promise<BenchService> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'pdfnorm-bench-')))
  const data = join(directory, 'data')
  await mkdir(data)
  const database = new Database(join(directory, 'database'), join(directory, 'database.log'))
  await database.process.start()

  const ports = await freePorts(workers + 1)
  const [url = '', ...workerUrls] = ports.map((port) => `http://127.0.0.1:${port}`)
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: data,
    BASE_URL: url,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    RATE_LIMITS: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WORKER_CONCURRENCY: '1',
    LOG_LEVEL: 'warn',
  }
  const processOf = (role: 'api' | 'worker', index: number, address: string) =>
    new KeptProcess({
      name: `${role} ${index}`,
      module: new URL('../src/serve.ts', import.meta.url).pathname,
      env: { ...environment, PROCESS_ROLE: role, PORT: String(ports[index]) },
      logPath: join(directory, `${role}-${index}.log`),
      answers: () => isHealthy(address),
    })
  const api = processOf('api', 0, url)
  const all = workerUrls.map((address, index) => processOf('worker', index + 1, address))
  await api.start()
  return {
    url,
    database,
    api,
    workers: all,
    async stop() {
      await Promise.all([api, ...all].map((process) => process.retire(30_000)))
      await database.process.retire(30_000)
      await rm(directory, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
