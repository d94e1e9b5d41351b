import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { AcceptInviteRequest } from '@pdfnorm/contracts/schema/session'
import { violatedConstraint } from '../database/violated-constraint.ts'
import { lockOrganization, organizationInactive } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { takeOneTimeToken, tokenInvalid, withOneTimeToken } from '../session/one-time-token.ts'
import { hashPassword, weakness } from '../session/password.ts'
import { InvitationEntity } from './invitation.ts'
import { MemberEntity } from './member.ts'

type AcceptInviteRefusal = Refusal<
  'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'WEAK_PASSWORD' | 'EMAIL_TAKEN' | 'ORGANIZATION_INACTIVE'
>

/** POST /api/auth/accept-invite: makes a member of who was invited. The address is verified by the link in its mail. */
export async function acceptInvite(
  platform: Pick<Platform, 'orm' | 'clock'>,
  request: AcceptInviteRequest,
): Promise<AcceptInviteRefusal | null> {
  const weak = weakness(request.password)
  if (weak) return weak
  try {
    return await becomeMember(platform, request)
  } catch (error) {
    if (violatedConstraint(error) !== 'member_email_unique') throw error
    return new Refusal('EMAIL_TAKEN', 'The address became that of a member in the meantime.')
  }
}

async function becomeMember(
  platform: Pick<Platform, 'orm' | 'clock'>,
  { token, password }: AcceptInviteRequest,
): Promise<AcceptInviteRefusal | null> {
  const now = platform.clock.now()
  return withOneTimeToken(platform, token, 'accept-invite', async (em, found) => {
    // Only a good token gets here: nobody else makes the service hash passwords.
    const passwordHash = await hashPassword(password)
    const organization = await lockOrganization(em, found.organizationId)
    if (!organization.isActive) {
      return new Refusal('ORGANIZATION_INACTIVE', organizationInactive)
    }
    const invitation = found.invitationId
      ? await em.findOne(InvitationEntity, found.invitationId)
      : null
    if (invitation === null) return tokenInvalid()
    // Gone if somebody was invited again while this waited for the lock.
    const refusal = await takeOneTimeToken(em, found, now)
    if (refusal) return refusal

    const { id, email, role } = invitation
    await em.insert(MemberEntity, {
      id,
      organizationId: organization.id,
      email,
      passwordHash,
      role,
      isActive: true,
      emailVerified: true,
      createdAt: now,
      lastLoginAt: null,
    })
    await em.nativeDelete(InvitationEntity, { id })
    return null
  })
}
