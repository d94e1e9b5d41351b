import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { DeletedWebhook } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { lockWebhook, noSuchWebhook, WebhookEntity } from './webhook.ts'
import { WebhookSecretEntity } from './webhook-secret.ts'

/**
 * DELETE /api/portal/webhooks/{id}: nothing more is sent to it. What waited for it becomes a dead letter when it is
 * due, and dead letters stay for as long as any (decision 4.6).
 */
export async function deleteWebhook(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
  id: string,
): Promise<DeletedWebhook | Refusal<'NOT_FOUND'> | ChangeRefusal> {
  return changeAsMember(orm, caller, leastRole.changeWebhooks, async (em) => {
    const webhook = await lockWebhook(em, { organizationId: caller.organization.id, id })
    if (webhook === null) return noSuchWebhook()
    await em.nativeDelete(WebhookSecretEntity, { signerId: webhook.id })
    await em.nativeDelete(WebhookEntity, { id: webhook.id })
    return { id: webhook.id, deleted: true } as const
  })
}
