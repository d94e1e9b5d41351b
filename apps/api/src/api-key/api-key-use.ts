import type { MikroORM } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { executeTogether, withOrganization } from '../database/transaction.ts'

/** Keeps `lastUsedAt`, off the path of the request. */
export interface ApiKeyUse {
  record(key: { id: string; organizationId: string }): void
  /** Resolves when everything that was recorded is written. */
  settled(): Promise<void>
}

/** A key that is used all the time is written this often (decision 3.4). */
const writeEveryMs = 60_000

/** Keys that are remembered as just written; forgetting one only costs a write. */
const rememberedKeys = 10_000

export function openApiKeyUse(orm: MikroORM, clock: Clock, log: Logger): ApiKeyUse {
  const writtenAt = new Map<string, number>()
  const pending = new Set<Promise<void>>()

  const write = async (
    { id, organizationId }: { id: string; organizationId: string },
    at: Date,
  ) => {
    try {
      await withOrganization(orm, organizationId, (em) =>
        executeTogether(em, [
          // A crash of the database may cost a time of use; a flush to the disk would cost every other commit.
          { sql: "select set_local('synchronous_commit', 'off')", parameters: [] },
          {
            sql: 'update api_key set last_used_at = ? where organization_id = ? and id = ?',
            parameters: [at, organizationId, id],
          },
        ]),
      )
    } catch (error) {
      log.warn({ err: error, apiKeyId: id }, 'the last use of an API key was not written')
    }
  }

  return {
    record(key) {
      const now = clock.now()
      const last = writtenAt.get(key.id)
      if (last !== undefined && now.getTime() - last < writeEveryMs) return
      if (writtenAt.size >= rememberedKeys) writtenAt.clear()
      writtenAt.set(key.id, now.getTime())

      const writing = write(key, now).finally(() => pending.delete(writing))
      pending.add(writing)
    },
    async settled() {
      await Promise.all(pending)
    },
  }
}
