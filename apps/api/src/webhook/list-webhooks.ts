import type { WebhookConfiguration } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { WebhookEntity, webhookConfiguration } from './webhook.ts'

/** GET /api/portal/webhooks: newest first, without their secrets. */
export async function listWebhooks(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
): Promise<WebhookConfiguration[]> {
  const webhooks = await withOrganization(orm, caller.organization.id, (em) =>
    em.findAll(WebhookEntity, { orderBy: { createdAt: 'desc', id: 'desc' } }),
  )
  return webhooks.map(webhookConfiguration)
}
