import { limits } from '@pdfnorm/contracts/schema/limit'
import { withExpired, withoutOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Rows that one transaction deletes: it is short, whatever has piled up. */
const rowsAtOnce = 1000

/**
 * Deletes what expired some days ago, of all organizations: until then whoever comes back with an old link is told that
 * it has expired. Goes on until nothing is left, or until `signal` says that the process stops.
 */
export async function clearExpired(
  { orm, clock, config }: Pick<Platform, 'orm' | 'clock' | 'config'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now().getTime()
  const before = new Date(now - limits.expiredKeptDays * dayMs)
  const invitedBefore = new Date(before.getTime() - config.inviteTtlMs)

  const clear = (table: string, key: string, column: string, before: Date) =>
    inSteps(signal, () =>
      withExpired(orm, before, (em) =>
        em.execute(deletion(table, key, column), [before, before, rowsAtOnce]),
      ),
    )
  await clear('one_time_token', 'organization_id, token_hash', 'expires_at', before)
  await clear('refresh_token', 'organization_id, token_hash', 'expires_at', before)
  await clear('session', 'organization_id, id', 'expires_at', before)
  await clear('invitation', 'organization_id, id', 'created_at', invitedBefore)
  // Nobody is told anything of a key that has expired: it is as good as new.
  await clear('idempotency_key', 'organization_id, key', 'expires_at', new Date(now))
  // Milliseconds of the processes' own clocks, as rate-limiter-flexible writes them.
  await inSteps(signal, () =>
    withoutOrganization(orm, (em) =>
      em.execute(deletion('rate_limit', 'key', 'expire'), [now, now, rowsAtOnce]),
    ),
  )
}

async function inSteps(signal: AbortSignal, step: () => Promise<unknown[]>): Promise<void> {
  while (!signal.aborted) {
    const deleted = await step()
    if (deleted.length < rowsAtOnce) return
  }
}

/** The moment stands twice: a row that is renewed while the deletion waits for it is looked at again, and stays. */
function deletion(table: string, key: string, column: string): string {
  return `delete from ${table} where ${column} < ? and (${key}) in
            (select ${key} from ${table} where ${column} < ? order by ${column} limit ?)
          returning ${key}`
}
