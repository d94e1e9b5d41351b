import { Client } from 'pg'
import type { Logger } from 'pino'
import { type DatabaseConnection, poolConfig } from '../database/orm.ts'
import { wakeChannel } from './job-queue.ts'

/** How long to wait before a lost connection is opened again, in milliseconds. */
const reconnectMs = 1000

/**
 * Listens for committed sends and calls `wake` with the queue's name. A connection that breaks is
 * opened again; what is sent meanwhile is found by the workers' own look.
 */
export function listenForJobs(
  connection: DatabaseConnection,
  log: Logger,
  wake: (queue: string) => void,
): { stop(): Promise<void> } {
  let client: Client | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const open = async () => {
    const opening = new Client({ ...poolConfig(connection), keepAlive: true })
    client = opening
    opening.on('notification', ({ payload }) => wake(payload ?? ''))
    opening.on('error', (error) => log.warn({ err: error }, 'the wake-up connection failed'))
    opening.on('end', () => {
      if (!stopped) timer = setTimeout(() => void open(), reconnectMs)
    })
    try {
      await opening.connect()
      await opening.query(`listen ${wakeChannel}`)
    } catch (error) {
      log.warn({ err: error }, 'the wake-up connection could not be opened')
      await opening.end().catch(() => undefined)
    }
  }
  const opened = open()

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await opened
      await client?.end().catch(() => undefined)
    },
  }
}
