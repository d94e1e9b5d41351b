import { randomBytes } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { asyncBytes } from './documents.ts'
import { Database } from './database.ts'
import { freePorts } from './free-ports.ts'
import { isHealthy, KeptProcess } from './kept-process.ts'
import { Receiver } from './receiver.ts'
import { openStorage, type Storage, type StorageKind } from './storage.ts'

/** The service as it runs on many machines, with all that it needs, on this one. */
export interface TorturedService {
  database: Database
  storage: Storage
  receiver: Receiver
  apis: KeptProcess[]
  workers: KeptProcess[]
  /** Addresses of the API processes, as a load balancer has them. */
  urls: readonly [string, ...string[]]
  /** Ends all of it; says who did not end well. */
  stop(): Promise<string[]>
}

const apiCount = 2
const workerCount = 3
/** Every process of the service has it in its environment; so those of its children that outlive it are found. */
export const markVariable = 'PDFNORM_TORTURE'

/** @param directory for data and logs; removed by whoever made it */
export async function startTorturedService(
  directory: string,
  storageKind: StorageKind,
): Promise<TorturedService> {
  const home = await realpath(directory)
  const data = join(home, 'data')
  const logs = join(home, 'logs')
  await mkdir(data)
  await mkdir(logs)

  const database = new Database(join(home, 'database'), join(logs, 'database.log'))
  await database.process.start()
  const storage = await openStorage(storageKind, data)
  const receiver = new Receiver()
  await receiver.open()

  const names = [
    ...Array.from({ length: apiCount }, (_, index) => `api-${index + 1}`),
    ...Array.from({ length: workerCount }, (_, index) => `worker-${index + 1}`),
  ]
  const ports = await freePorts(names.length)
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const environment = {
    [markVariable]: home,
    ...storage.credentials,
    STORAGE_URL: storage.storageUrl ?? '',
    DATABASE_URL: database.url,
    DATA_DIR: data,
    BASE_URL: urls[0] ?? '',
    SECRETS_KEY: randomBytes(32).toString('hex'),
    RATE_LIMITS: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SCHEDULE: '500ms,1s,2s,4s,8s',
    SYNC_MAX_BYTES: String(asyncBytes),
    SYNC_DEADLINE: '2s',
    WORKER_CONCURRENCY: '3',
    LOG_LEVEL: 'info',
  }
  const processes = names.map(
    (name, index) =>
      new KeptProcess({
        name,
        module: new URL('../src/serve.ts', import.meta.url).pathname,
        env: {
          ...environment,
          PROCESS_ROLE: index < apiCount ? 'api' : 'worker',
          PORT: String(ports[index]),
        },
        logPath: join(logs, `${name}.log`),
        answers: () => isHealthy(urls[index] ?? ''),
      }),
  )
  const stop = async () => {
    const codes = await Promise.all(processes.map((process) => process.retire(60_000)))
    await database.process.retire(60_000)
    await receiver.close()
    await storage.end()
    return processes.flatMap(({ name }, index) =>
      codes[index] === 0
        ? []
        : [`${name} did not stop as it was told: ${codes[index] ?? 'it was killed'}`],
    )
  }
  try {
    // The first one brings the database up to date; the others would wait for it.
    await processes[0]?.start()
    await Promise.all(processes.slice(1).map((process) => process.start()))
  } catch (error) {
    await stop()
    throw error
  }

  const [first = '', ...others] = urls.slice(0, apiCount)
  return {
    database,
    storage,
    receiver,
    apis: processes.slice(0, apiCount),
    workers: processes.slice(apiCount),
    urls: [first, ...others],
    stop,
  }
}
