import type { DeadLetter } from '@pdfnorm/contracts/schema/dead-letter'
import type { PageQuery } from '@pdfnorm/contracts/schema/page'
import { WebhookEvent as WebhookPayload } from '@pdfnorm/contracts/schema/webhook-event'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { keptSince } from './tidy-events.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** GET /api/portal/webhooks/dead: newest first, whatever became of their webhooks (decision 4.6). */
export async function listDeadLetters(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
  { page, page_size: pageSize }: PageQuery,
): Promise<{ deadLetters: DeadLetter[]; total: number }> {
  const [events, total] = await withOrganization(orm, caller.organization.id, (em) =>
    em.findAndCount(
      WebhookEventEntity,
      { status: 'dead', endedAt: { $gt: keptSince(clock.now()) } },
      {
        orderBy: { endedAt: 'desc', id: 'desc' },
        limit: pageSize,
        offset: (page - 1) * pageSize,
      },
    ),
  )
  return { deadLetters: events.map(deadLetter), total }
}

function deadLetter(event: WebhookEvent): DeadLetter {
  const { id, webhookId, url, payload, attempts, endedAt } = event
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (!first || !last || !endedAt) throw new Error(`The event ${id} is dead without an attempt`)
  return {
    eventId: id,
    webhookId,
    url,
    event: event.event,
    payload: WebhookPayload.parse(JSON.parse(payload)),
    attempts,
    firstAttemptAt: first.at,
    lastAttemptAt: last.at,
    deadAt: endedAt.toISOString(),
  }
}
