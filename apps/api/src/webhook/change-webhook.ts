import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type {
  ChangeWebhookRequest,
  WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { webhookUrlRefusal } from './webhook-url-refusal.ts'
import { lockWebhook, noSuchWebhook, webhookConfiguration } from './webhook.ts'
import { forgetRequests } from './webhook-event.ts'

/**
 * PUT /api/portal/webhooks/{id}: what is left out stays as it is. What waits for the webhook goes to its new address;
 * one that is activated, or moved, has a clean record.
 */
export async function changeWebhook(
  { orm, config }: Pick<Platform, 'orm' | 'config'>,
  caller: MemberCaller,
  id: string,
  { url, events, active }: ChangeWebhookRequest,
): Promise<WebhookConfiguration | Refusal<'NOT_FOUND' | 'WEBHOOK_URL_FORBIDDEN'> | ChangeRefusal> {
  const forbidden = url === undefined ? null : await webhookUrlRefusal(config, url)
  if (forbidden !== null) return forbidden

  return changeAsMember(orm, caller, leastRole.changeWebhooks, async (em) => {
    const webhook = await lockWebhook(em, { organizationId: caller.organization.id, id })
    if (webhook === null) return noSuchWebhook()
    if (url !== undefined && url !== webhook.url) {
      webhook.url = url
      webhook.failingSince = null
    }
    if (events !== undefined) webhook.events = [...new Set(events)]
    if (active === true && !webhook.active) webhook.failingSince = null
    if (active === false) await forgetRequests(em, id)
    webhook.active = active ?? webhook.active
    return webhookConfiguration(webhook)
  })
}
