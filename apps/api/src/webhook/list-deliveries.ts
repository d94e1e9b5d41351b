import type { PageQuery } from '@pdfnorm/contracts/schema/page'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { WebhookDelivery } from '@pdfnorm/contracts/schema/webhook-event'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { noSuchWebhook, WebhookEntity } from './webhook.ts'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** GET /api/portal/webhooks/{id}/deliveries: newest first, with every attempt. */
export async function listDeliveries(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
  webhookId: string,
  { page, page_size: pageSize }: PageQuery,
): Promise<{ deliveries: WebhookDelivery[]; total: number } | Refusal<'NOT_FOUND'>> {
  return withOrganization(orm, caller.organization.id, async (em) => {
    if ((await em.findOne(WebhookEntity, { id: webhookId })) === null) return noSuchWebhook()
    const [events, total] = await em.findAndCount(
      WebhookEventEntity,
      { webhookId },
      {
        orderBy: { createdAt: 'desc', id: 'desc' },
        limit: pageSize,
        offset: (page - 1) * pageSize,
        exclude: ['payload'],
      },
    )
    return { deliveries: events.map(webhookDelivery), total }
  })
}

function webhookDelivery(
  event: Pick<WebhookEvent, 'id' | 'event' | 'status' | 'attempts' | 'createdAt' | 'nextAttemptAt'>,
): WebhookDelivery {
  return {
    eventId: event.id,
    event: event.event,
    status: event.status,
    attempts: event.attempts,
    createdAt: event.createdAt.toISOString(),
    nextAttemptAt: event.nextAttemptAt?.toISOString() ?? null,
  }
}
