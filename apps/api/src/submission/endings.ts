import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import { listen } from '../database/listen.ts'
import type { DatabaseConnection } from '../database/orm.ts'

/** PostgreSQL channel that tells which submission ended; its payload is the id. */
const channel = 'pdfnorm_submission_ended'

/** Hears of the ends of submissions that another process runs. */
export interface Endings {
  /** From now on no end of the submission is missed, until it is disposed of. */
  watch(submissionId: string): Ending
  close(): Promise<void>
}

export interface Ending extends Disposable {
  /** Resolves when the submission has ended since the last call, or after the time. */
  heard(timeoutMs: number): Promise<void>
}

export function openEndings(connection: DatabaseConnection, log: Logger): Endings {
  const watched = new Map<string, Set<() => void>>()
  const listener = listen(connection, log, channel, (submissionId) => {
    for (const ring of watched.get(submissionId) ?? []) ring()
  })

  return {
    watch(submissionId) {
      let ended = Promise.withResolvers<void>()
      const ring = () => ended.resolve()
      const rings = watched.get(submissionId) ?? new Set()
      watched.set(submissionId, rings.add(ring))
      return {
        async heard(timeoutMs) {
          const timer = setTimeout(ring, timeoutMs)
          await ended.promise
          clearTimeout(timer)
          ended = Promise.withResolvers()
        },
        [Symbol.dispose]() {
          rings.delete(ring)
          if (rings.size === 0) watched.delete(submissionId)
        },
      }
    },
    close: () => listener.stop(),
  }
}

/** Tells whoever waits for the submission, when the transaction of `em` commits. */
export async function tellWaiters(em: EntityManager, submissionId: string): Promise<void> {
  await em.execute('select pg_notify(?, ?)', [channel, submissionId])
}
