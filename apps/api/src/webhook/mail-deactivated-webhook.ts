import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { withOrganization } from '../database/transaction.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { MemberEntity } from '../member/member.ts'
import { type Organization, OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { WebhookEntity } from './webhook.ts'

/** That a webhook was switched off because of its receiver, and one who is told. */
export interface DeactivationMail {
  readonly organizationId: string
  readonly webhookId: string
  /** Whether its receiver answered 410. */
  readonly gone: boolean
  /** null: the organization's contact. */
  readonly memberId: string | null
  /** The same when the mail is sent again. */
  readonly mailId: string
}

/** Tells one who can put it right that a webhook was switched off, unless it is active again or gone. */
export async function mailDeactivatedWebhook(
  { orm, config, mailer }: Pick<Platform, 'orm' | 'config' | 'mailer'>,
  { organizationId, webhookId, gone, memberId, mailId }: DeactivationMail,
): Promise<void> {
  const found = await withOrganization(orm, organizationId, async (em) => {
    const organization = await em.findOne(OrganizationEntity, { id: organizationId })
    const webhook = await em.findOne(WebhookEntity, { id: webhookId, active: false })
    if (organization === null || webhook === null) return null
    const to = await addressOf(em, organization, memberId)
    return to === null ? null : { to, name: organization.name, url: webhook.url }
  })
  if (found === null) return

  const why = gone
    ? 'Its receiver answered 410 Gone, which says that it wants no more events.'
    : `Nothing could be delivered to it for ${limits.webhookFailingDays} days.`
  await mailer.send({
    id: mailId,
    ...composeMail({
      to: found.to,
      subject: 'A webhook was deactivated',
      // The rest of an address may hold a secret.
      text: `A webhook of “${found.name}” at ${new URL(found.url).host} was deactivated. ${why}`,
      action: 'See the webhook and its deliveries',
      link: `${config.baseUrl}/webhooks`,
      closing:
        'Events that were not delivered are kept as dead letters for ' +
        `${limits.deadLetterDays} days. Activate the webhook again to receive new ones.`,
    }),
  })
}

async function addressOf(
  em: EntityManager,
  { contactEmail }: Organization,
  memberId: string | null,
): Promise<string | null> {
  if (memberId === null) return contactEmail ?? null
  const member = await em.findOne(MemberEntity, { id: memberId, isActive: true })
  return member?.email ?? null
}
