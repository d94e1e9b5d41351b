import { rateLimits } from '@pdfnorm/contracts/schema/rate-limit'
import { z } from 'zod'
import { enterOrganization, withLookUp, withoutOrganization } from '../database/transaction.ts'
import { issueTokenMail, tokenTtlMs } from '../mail/issue-token-mail.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { OneTimeTokenEntity } from './one-time-token.ts'

/** The mails that anybody may ask for who knows an address. */
export const RequestedMail = z.enum(['reset-password', 'verify-email'])
type RequestedMail = z.infer<typeof RequestedMail>

/**
 * POST /api/auth/forgot-password and /api/auth/resend-verification. Whether the address is a member's is looked up by
 * the job: the request does the same for every address, so neither its answer nor its time tells.
 */
export async function requestMail(
  { orm, queue }: Pick<Platform, 'orm' | 'queue'>,
  purpose: RequestedMail,
  email: string,
): Promise<void> {
  await withoutOrganization(orm, (em) =>
    queue.send(em, 'request-mail', { purpose, email: email.toLowerCase() }, null),
  )
}

/**
 * The job behind it: mails the link to the member with this address, if there is one. No more links go there in an hour
 * than one client may ask for: who asks from many addresses fills nobody's mailbox, and the links that came stay good.
 */
export async function mailToMember(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'queue' | 'secretsKey'>,
  { purpose, email }: { purpose: RequestedMail; email: string },
): Promise<void> {
  await withLookUp(platform.orm, { memberEmail: email }, async (em) => {
    const member = await em.findOne(MemberEntity, { email, isActive: true })
    if (member === null) return
    if (purpose === 'verify-email' && member.emailVerified) return
    await enterOrganization(em, member.organizationId)
    const { requests, windowSeconds } = limitOf[purpose]
    const mailedInWindow = await em.count(OneTimeTokenEntity, {
      memberId: member.id,
      purpose,
      usedAt: null,
      expiresAt: {
        $gt: new Date(
          platform.clock.now().getTime() +
            tokenTtlMs(platform.config, purpose) -
            windowSeconds * 1000,
        ),
      },
    })
    if (mailedInWindow >= requests) return
    const organization = await em.findOneOrFail(OrganizationEntity, member.organizationId)
    await issueTokenMail(platform, em, organization, purpose, { memberId: member.id })
  })
}

const limitOf = {
  'reset-password': rateLimits.forgotPassword,
  'verify-email': rateLimits.resendVerification,
} as const satisfies Record<RequestedMail, object>
