import { rateLimits } from '@pdfnorm/contracts/schema/rate-limit'
import { enterOrganization, withLookUp, withoutOrganization } from '../database/transaction.ts'
import { issueTokenMail } from '../mail/issue-token-mail.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { OneTimeTokenEntity } from './one-time-token.ts'

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

/**
 * The job behind it: mails the link to the member with this address, if there is one. No more links are open at a time
 * than one client may ask for: who asks from many addresses fills nobody's mailbox, and the links that came stay good.
 */
export async function mailPasswordReset(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'queue' | 'secretsKey'>,
  email: string,
): Promise<void> {
  await withLookUp(platform.orm, { memberEmail: email }, async (em) => {
    const member = await em.findOne(MemberEntity, { email, isActive: true })
    if (member === null) return
    await enterOrganization(em, member.organizationId)
    const open = await em.count(OneTimeTokenEntity, {
      memberId: member.id,
      purpose: 'reset-password',
      usedAt: null,
      expiresAt: { $gt: platform.clock.now() },
    })
    if (open >= rateLimits.forgotPassword.requests) return
    const organization = await em.findOneOrFail(OrganizationEntity, member.organizationId)
    await issueTokenMail(platform, em, organization, 'reset-password', { memberId: member.id })
  })
}
