import { limits } from '@pdfnorm/contracts/schema/limit'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type {
  CreatedWebhook,
  CreateWebhookRequest,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import { v7 as uuidv7 } from 'uuid'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { webhookUrlRefusal } from './webhook-url-refusal.ts'
import { WebhookEntity, webhookConfiguration } from './webhook.ts'
import { createSecret } from './webhook-secret.ts'

/** POST /api/portal/webhooks. The organization is locked, so that two at once do not pass the limit together. */
export async function createWebhook(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'secretsKey'>,
  caller: MemberCaller,
  { url, events, active }: CreateWebhookRequest,
): Promise<
  CreatedWebhook | Refusal<'WEBHOOK_LIMIT_REACHED' | 'WEBHOOK_URL_FORBIDDEN'> | ChangeRefusal
> {
  const forbidden = await webhookUrlRefusal(platform.config, url)
  if (forbidden !== null) return forbidden

  return changeAsMember(
    platform.orm,
    caller,
    leastRole.changeWebhooks,
    async (em, organization) => {
      if ((await em.count(WebhookEntity)) >= limits.webhooksPerOrganization) {
        const detail = `An organization has ${limits.webhooksPerOrganization} webhooks at most. Delete one first.`
        return new Refusal('WEBHOOK_LIMIT_REACHED', detail)
      }
      const webhook = em.create(WebhookEntity, {
        id: uuidv7(),
        organizationId: organization.id,
        url,
        events: [...new Set(events)],
        active,
        createdAt: platform.clock.now(),
        lastDeliveryAt: null,
        failingSince: null,
      })
      await em.flush()
      const signer = { organizationId: organization.id, signerId: webhook.id }
      const secret = await createSecret(platform, em, signer)
      return { ...webhookConfiguration(webhook), secret }
    },
  )
}
