import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { RotatedWebhookSecret } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { noSuchWebhook, WebhookEntity } from './webhook.ts'
import { rotateSecret } from './webhook-secret.ts'

/** POST /api/portal/webhooks/{id}/rotate-secret: for a day deliveries are signed with both. */
export async function rotateWebhookSecret(
  platform: Pick<Platform, 'orm' | 'clock' | 'secretsKey'>,
  caller: MemberCaller,
  id: string,
): Promise<RotatedWebhookSecret | Refusal<'NOT_FOUND'> | ChangeRefusal> {
  return changeAsMember(
    platform.orm,
    caller,
    leastRole.changeWebhooks,
    async (em, organization) => {
      const webhook = await em.findOne(WebhookEntity, { id })
      if (webhook === null) return noSuchWebhook()
      const signer = { organizationId: organization.id, signerId: webhook.id }
      const { secret, previousValidUntil } = await rotateSecret(platform, em, signer)
      return { id: webhook.id, secret, previousValidUntil: previousValidUntil.toISOString() }
    },
  )
}
