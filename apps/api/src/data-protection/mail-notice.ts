import { v5 as uuidv5 } from 'uuid'
import { z } from 'zod'
import type { EntityManager } from '@mikro-orm/postgresql'
import { withOrganization } from '../database/transaction.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { AccountDeletionEntity } from './account-deletion.ts'
import { DataExportEntity } from './data-export.ts'

/** What people are told by mail. */
export const DataNotice = z.enum(['export-completed', 'deletion-requested', 'deletion-cancelled'])

/** A mail to be sent. */
interface Notice {
  readonly organizationId: string
  readonly notice: z.infer<typeof DataNotice>
  /** The export's, or else one of its own: the same when the job runs again, and so are the ids of its mails. */
  readonly id: string
}

interface Words {
  readonly receivers: readonly string[]
  readonly subject: string
  readonly text: string
  readonly action: string
}

/** Tells those whom it concerns, unless it is not so any more. */
export async function mailNotice(
  { orm, clock, config, mailer }: Pick<Platform, 'orm' | 'clock' | 'config' | 'mailer'>,
  { organizationId, notice, id }: Notice,
): Promise<void> {
  const words = await withOrganization(orm, organizationId, (em) =>
    notice === 'export-completed'
      ? exportWords(em, id, clock.now())
      : deletionWords(em, organizationId, notice),
  )
  if (words === null) return
  const { receivers, ...content } = words
  for (const to of receivers) {
    await mailer.send({
      id: uuidv5(to, id),
      ...composeMail({
        ...content,
        to,
        link: `${config.baseUrl}/data-protection`,
        closing: 'If you know nothing of this, ask the owner of your organization.',
      }),
    })
  }
}

async function exportWords(em: EntityManager, exportId: string, now: Date): Promise<Words | null> {
  const found = await em.findOne(DataExportEntity, { id: exportId, expiresAt: { $gt: now } })
  if (found === null || !found.requestedBy) return null
  const member = await em.findOne(MemberEntity, { id: found.requestedBy, isActive: true })
  if (member === null) return null
  return {
    receivers: [member.email],
    subject: 'Your export is ready',
    text: `The export that you asked for can be downloaded until ${found.expiresAt?.toISOString()}.`,
    action: 'Download the export',
  }
}

async function deletionWords(
  em: EntityManager,
  organizationId: string,
  notice: 'deletion-requested' | 'deletion-cancelled',
): Promise<Words | null> {
  const isCancelled = notice === 'deletion-cancelled'
  const found = await em.findOne(AccountDeletionEntity, { organizationId, begunAt: null })
  if (found === null || Boolean(found.cancelledAt) !== isCancelled) return null
  const { name, contactEmail } = await em.findOneOrFail(OrganizationEntity, organizationId)
  const owners = await em.find(MemberEntity, { role: 'owner', isActive: true })
  const addresses = [...owners.map(({ email }) => email), ...(contactEmail ? [contactEmail] : [])]
  const receivers = [...new Set(addresses.map((address) => address.toLowerCase()))]
  return isCancelled
    ? {
        receivers,
        subject: 'Your organization will not be deleted',
        text: `The deletion of “${name}” was cancelled. Everything stays as it is.`,
        action: 'See the organization',
      }
    : {
        receivers,
        subject: 'Your organization will be deleted',
        text:
          `The deletion of “${name}” with all its documents, members and keys was requested. ` +
          `It can be cancelled until ${found.cancellableUntil.toISOString()}.`,
        action: 'Cancel the deletion',
      }
}
