import { v5 as uuidv5 } from 'uuid'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { withOrganization } from '../database/transaction.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { WebhookEntity } from './webhook.ts'

/** A webhook that was switched off because of its receiver. */
export interface DeactivatedWebhook {
  readonly organizationId: string
  readonly webhookId: string
  readonly gone: boolean
  /** The same when the job runs again, and so are the ids of its mails. */
  readonly seed: string
}

/** Tells those who can put it right, and the organization's contact, that a webhook was switched off. */
export async function mailDeactivatedWebhook(
  platform: Pick<Platform, 'orm' | 'config' | 'mailer'>,
  { organizationId, webhookId, gone, seed }: DeactivatedWebhook,
): Promise<void> {
  const found = await withOrganization(platform.orm, organizationId, async (em) => {
    const webhook = await em.findOne(WebhookEntity, { id: webhookId, active: false })
    if (webhook === null) return null
    const { name, contactEmail } = await em.findOneOrFail(OrganizationEntity, organizationId)
    const admins = await em.find(MemberEntity, {
      role: { $in: ['owner', 'admin'] },
      isActive: true,
    })
    const receivers = [...admins.map(({ email }) => email), ...(contactEmail ? [contactEmail] : [])]
    return { name, url: webhook.url, receivers: new Set(receivers.map((to) => to.toLowerCase())) }
  })
  if (found === null) return

  const why = gone
    ? 'Its receiver answered 410 Gone, which says that it wants no more events.'
    : `Nothing could be delivered to it for ${limits.webhookFailingDays} days.`
  for (const to of found.receivers) {
    await platform.mailer.send({
      id: uuidv5(to, seed),
      ...composeMail({
        to,
        subject: 'A webhook was deactivated',
        // The rest of an address may hold a secret.
        text: `A webhook of “${found.name}” at ${new URL(found.url).host} was deactivated. ${why}`,
        action: 'See the webhook and its deliveries',
        link: `${platform.config.baseUrl}/webhooks`,
        closing:
          'Events that were not delivered are kept as dead letters for ' +
          `${limits.deadLetterDays} days. Activate the webhook again to receive new ones.`,
      }),
    })
  }
}
