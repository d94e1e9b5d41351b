import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { type DatabaseConnection, directConfig } from './orm.ts'

/** How long to wait before a lost connection is opened again, in milliseconds. */
const reconnectMs = 1000

/**
 * Calls `heard` with the payload of each committed NOTIFY of the channel, on a connection of its own. One that breaks
 * is opened again; what is told meanwhile nobody hears, so whoever waits looks for itself now and then.
 */
export function listen(
  connection: DatabaseConnection,
  log: Logger,
  channel: string,
  heard: (payload: string) => void,
): { stop(): Promise<void> } {
  const stop = new AbortController()

  const listening = async () => {
    while (!stop.signal.aborted) {
      try {
        await listenOnce(connection, channel, heard, stop.signal)
      } catch (error) {
        log.warn({ err: error, channel }, 'no notification can be heard')
      }
      await setTimeout(reconnectMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }
  const listened = listening()

  return {
    async stop() {
      stop.abort()
      await listened
    },
  }
}

/** Ends when the connection does, or at the signal. */
async function listenOnce(
  connection: DatabaseConnection,
  channel: string,
  heard: (payload: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const client = new Client({ ...directConfig(connection), keepAlive: true })
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  ended.catch(() => undefined)
  client.on('notification', ({ payload }) => heard(payload ?? ''))
  client.on('error', reject)
  client.on('end', () => resolve())
  stop.addEventListener('abort', () => resolve())
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    await ended
  } finally {
    await client.end().catch(() => undefined)
  }
}
