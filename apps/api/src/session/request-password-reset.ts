import { enterOrganization, withLookUp, withoutOrganization } from '../database/transaction.ts'
import { issueTokenMail } from '../mail/issue-token-mail.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'

/**
 * POST /api/auth/forgot-password. Whether the address is a member's is looked up by the job: the request does the same
 * for every address, so neither its answer nor its time tells.
 */
export async function requestPasswordReset(
  { orm, queue }: Pick<Platform, 'orm' | 'queue'>,
  email: string,
): Promise<void> {
  await withoutOrganization(orm, (em) =>
    queue.send(em, 'request-password-reset', { email: email.toLowerCase() }, null),
  )
}

/** The job behind it: mails the link to the member with this address, if there is one. */
export async function mailPasswordReset(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'queue' | 'secretsKey'>,
  email: string,
): Promise<void> {
  await withLookUp(platform.orm, { memberEmail: email }, async (em) => {
    const member = await em.findOne(MemberEntity, { email, isActive: true })
    if (member === null) return
    await enterOrganization(em, member.organizationId)
    const organization = await em.findOneOrFail(OrganizationEntity, member.organizationId)
    await issueTokenMail(platform, em, organization, 'reset-password', { memberId: member.id })
  })
}
