import { limits } from '@pdfnorm/contracts/schema/limit'
import { withExpired, withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { endWithout } from './end-event.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** Rows that one transaction looks at: it is short, whatever has piled up. */
const rowsAtOnce = 1000

const dayMs = 24 * 60 * 60 * 1000

/** Events that ended before are forgotten (decision 4.6). */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - limits.deadLetterDays * dayMs)
}

/**
 * Deletes the events of all organizations that ended long ago, and gives up those that have been due for days: their
 * receivers take them slower than they come, or their jobs were lost. Goes on until nothing is left, or until `signal`
 * says that the process stops.
 */
export async function tidyEvents(
  platform: Pick<Platform, 'orm' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await forgetSome(platform)) === rowsAtOnce);
  while (!signal.aborted && (await giveUpSome(platform, signal)) === rowsAtOnce);
}

async function forgetSome({ orm, clock }: Pick<Platform, 'orm' | 'clock'>): Promise<number> {
  const before = keptSince(clock.now())
  return withExpired(orm, before, async (em) => {
    // The moment stands twice: an event that is replayed while this waits for it is looked at again, and stays.
    const deleted: unknown[] = await em.execute(
      `delete from webhook_event where ended_at < ? and (organization_id, id) in
         (select organization_id, id from webhook_event
          where resting_since < ? and ended_at is not null limit ?)
       returning id`,
      [before, before, rowsAtOnce],
    )
    return deleted.length
  })
}

/** @returns how many were given up; those that were sent meanwhile are not among them */
async function giveUpSome(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  const now = clock.now()
  const before = new Date(now.getTime() - limits.webhookFailingDays * dayMs)
  const overdue = await withExpired(orm, before, (em) =>
    em.execute<Pick<WebhookEvent, 'id' | 'organizationId'>[]>(
      `select id, organization_id as "organizationId" from webhook_event
       where resting_since < ? and status = 'pending' order by resting_since limit ?`,
      [before, rowsAtOnce],
    ),
  )
  let givenUp = 0
  for (const { id, organizationId } of overdue) {
    if (signal.aborted) break
    const ended = await withOrganization(orm, organizationId, async (em) => {
      const stillDue = { id, status: 'pending', nextAttemptAt: { $lt: before } } as const
      const event = await em.findOne(WebhookEventEntity, stillDue)
      return event !== null && (await endWithout(em, event, waitedInVain, now))
    })
    if (ended) givenUp += 1
  }
  return givenUp
}

const waitedInVain = `It has been due for ${limits.webhookFailingDays} days: nothing was sent.`
