import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { QueuedEvent } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { announceEvent } from './announce-event.ts'
import { noSuchWebhook, WebhookEntity } from './webhook.ts'

/** POST /api/portal/webhooks/{id}/test: also for a webhook that is not active, to try it out before it is. */
export async function testWebhook(
  platform: Pick<Platform, 'orm' | 'clock' | 'queue'>,
  caller: MemberCaller,
  id: string,
  apiVersion: ApiVersion,
): Promise<QueuedEvent | Refusal<'NOT_FOUND'> | ChangeRefusal> {
  return changeAsMember(
    platform.orm,
    caller,
    leastRole.changeWebhooks,
    async (em, organization) => {
      const webhook = await em.findOne(WebhookEntity, { id })
      if (webhook === null) return noSuchWebhook()
      const [eventId] = await announceEvent(em, platform, {
        organizationId: organization.id,
        target: { webhook },
        event: 'webhook.test',
        data: { message: 'This is a test: a member of the organization asked for it.' },
        apiVersion,
      })
      if (eventId === undefined) throw new Error('A test was announced to nobody')
      return { eventId, status: 'queued' } as const
    },
  )
}
