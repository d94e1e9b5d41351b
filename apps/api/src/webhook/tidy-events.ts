import { limits } from '@pdfnorm/contracts/schema/limit'
import { withExpired, withOrganization } from '../database/transaction.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { enqueueDeliveries } from './delivery-queue.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** Rows that one transaction looks at: it is short, whatever has piled up. */
const rowsAtOnce = 1000

const hourMs = 60 * 60 * 1000

/** No queue is so long: an event that has been due for so long lost its job with workers that died. */
const strandedAfterMs = 3 * hourMs

/** Events that ended before are forgotten (decision 4.6). */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - limits.deadLetterDays * 24 * hourMs)
}

/**
 * Deletes the events of all organizations that ended long ago, and gives those that lost their job another one. Goes on
 * until nothing is left, or until `signal` says that the process stops.
 */
export async function tidyEvents(
  platform: Pick<Platform, 'orm' | 'clock' | 'queue' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await forgetSome(platform)) === rowsAtOnce);
  while (!signal.aborted && (await reviveSome(platform, signal)) === rowsAtOnce);
}

async function forgetSome({ orm, clock }: Pick<Platform, 'orm' | 'clock'>): Promise<number> {
  const before = keptSince(clock.now())
  return withExpired(orm, before, async (em) => {
    // The moment stands twice: an event that is replayed while this waits for it is looked at again, and stays.
    const deleted: unknown[] = await em.execute(
      `delete from webhook_event where ended_at < ? and id in
         (select id from webhook_event where resting_since < ? and ended_at is not null limit ?)
       returning id`,
      [before, before, rowsAtOnce],
    )
    return deleted.length
  })
}

async function reviveSome(
  platform: Pick<Platform, 'orm' | 'clock' | 'queue' | 'log'>,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(platform.clock.now().getTime() - strandedAfterMs)
  const stranded = await withExpired(platform.orm, before, (em) =>
    em.execute<Stranded[]>(
      `select id, organization_id as "organizationId" from webhook_event
       where resting_since < ? and status = 'pending' order by resting_since limit ?`,
      [before, rowsAtOnce],
    ),
  )
  for (const event of stranded) {
    if (!signal.aborted) await revive(platform, event, before)
  }
  return stranded.length
}

type Stranded = Pick<WebhookEvent, 'id' | 'organizationId'>

async function revive(
  platform: Pick<Platform, 'orm' | 'clock' | 'queue' | 'log'>,
  { id, organizationId }: Stranded,
  before: Date,
): Promise<void> {
  await withOrganization(platform.orm, organizationId, async (em) => {
    const revived = await em.nativeUpdate(
      WebhookEventEntity,
      { id, status: 'pending', nextAttemptAt: { $lt: before } },
      { nextAttemptAt: platform.clock.now() },
    )
    if (revived === 0) return
    const event = await em.findOneOrFail(WebhookEventEntity, { id })
    const organization = await em.findOneOrFail(OrganizationEntity, { id: organizationId })
    await enqueueDeliveries(platform, em, organization, [event])
    platform.log.warn({ eventId: id, organizationId }, 'an event had lost its job')
  })
}
