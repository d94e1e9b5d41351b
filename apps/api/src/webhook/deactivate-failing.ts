import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { WebhookEntity } from './webhook.ts'
import { forgetRequests } from './webhook-event.ts'

const toleratedMs = limits.webhookFailingDays * 24 * 60 * 60 * 1000

/** A failed attempt to deliver to a configured webhook. */
export interface FailedDelivery {
  readonly organizationId: string
  readonly webhookId: string
  readonly failedAt: Date
  /** The receiver answered 410: it wants no more events (decision 4.5). */
  readonly gone: boolean
}

/**
 * Counts a failure against its webhook, in the transaction of `em`: one that is gone, or that has failed for days
 * without a success between, is switched off, and the organization is told by mail. Of several that find it so, one
 * does it.
 */
export async function deactivateFailing(
  { queue }: Pick<Platform, 'queue'>,
  em: EntityManager,
  { organizationId, webhookId, failedAt, gone }: FailedDelivery,
): Promise<void> {
  await em.nativeUpdate(
    WebhookEntity,
    { id: webhookId, failingSince: null },
    { failingSince: failedAt },
  )
  const tolerated = new Date(failedAt.getTime() - toleratedMs)
  const deactivated = await em.nativeUpdate(
    WebhookEntity,
    { id: webhookId, active: true, ...(gone ? {} : { failingSince: { $lte: tolerated } }) },
    { active: false },
  )
  if (deactivated === 0) return

  await forgetRequests(em, webhookId)
  for (const memberId of await whomToTell(em, organizationId)) {
    const mail = { organizationId, webhookId, gone, memberId, mailId: randomUUID() }
    await queue.send(em, 'mail-webhook-deactivated', mail, null)
  }
}

/** Those who can put it right; null: the organization's contact, where that is somebody else. */
async function whomToTell(em: EntityManager, organizationId: string): Promise<(string | null)[]> {
  const { contactEmail } = await em.findOneOrFail(OrganizationEntity, { id: organizationId })
  const admins = await em.find(MemberEntity, { role: { $in: ['owner', 'admin'] }, isActive: true })
  const contact = contactEmail?.toLowerCase()
  const contactIsOneOfThem = admins.some(({ email }) => email === contact)
  const ids = admins.map(({ id }) => id)
  return contact === undefined || contactIsOneOfThem ? ids : [...ids, null]
}
