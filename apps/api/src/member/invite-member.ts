import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '@pdfnorm/contracts/schema/limit'
import {
  type Invitation,
  type InviteMemberRequest,
  leastRole,
} from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { v7 as uuidv7 } from 'uuid'
import type { MemberCaller } from '../caller.ts'
import { permitLookUp } from '../database/transaction.ts'
import { issueTokenMail } from '../mail/issue-token-mail.ts'
import { changeAsMember } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { OneTimeTokenEntity } from '../session/one-time-token.ts'
import { InvitationEntity } from './invitation.ts'
import { MemberEntity } from './member.ts'

/**
 * POST /api/portal/team/invite. Who is invited again gets a new link and the new role, and the former link ends. An
 * invitation does not claim the address: others may invite it too, and its owner may register.
 */
export async function inviteMember(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'queue' | 'secretsKey'>,
  caller: MemberCaller,
  { email: requested, role }: InviteMemberRequest,
): Promise<
  | Invitation
  | Refusal<
      | 'ALREADY_MEMBER'
      | 'EMAIL_TAKEN'
      | 'INVITATION_LIMIT_REACHED'
      | 'ORGANIZATION_INACTIVE'
      | 'INSUFFICIENT_ROLE'
      | 'INVALID_ACCESS_TOKEN'
    >
> {
  const email = requested.toLowerCase()
  const createdAt = platform.clock.now()
  return changeAsMember(platform.orm, caller, leastRole.inviteMembers, async (em, organization) => {
    const taken = await refusalOfMember(em, organization.id, email)
    if (taken) return taken

    const former = await em.findOne(InvitationEntity, { email })
    if (
      former === null &&
      (await em.count(InvitationEntity)) >= limits.invitationsPerOrganization
    ) {
      return new Refusal(
        'INVITATION_LIMIT_REACHED',
        `${limits.invitationsPerOrganization} invitations are open. Withdraw one first, or wait for one to be accepted.`,
      )
    }
    const invitation =
      former ??
      em.create(InvitationEntity, {
        id: uuidv7(),
        organizationId: organization.id,
        email,
        role,
        createdAt,
      })
    em.assign(invitation, { role, createdAt })
    await em.flush()
    await em.nativeDelete(OneTimeTokenEntity, { invitationId: invitation.id })
    const receiver = { invitationId: invitation.id }
    const expiresAt = await issueTokenMail(platform, em, organization, 'accept-invite', receiver)
    return { id: invitation.id, email, role, expiresAt: expiresAt.toISOString() }
  })
}

/** An address belongs to one member over all organizations (decision 3.15). */
async function refusalOfMember(em: EntityManager, organizationId: string, email: string) {
  await permitLookUp(em, { memberEmail: email })
  const member = await em.findOne(MemberEntity, { email })
  if (member === null) return null
  return member.organizationId === organizationId
    ? new Refusal('ALREADY_MEMBER', 'The organization has a member with this address.')
    : new Refusal('EMAIL_TAKEN', 'The address belongs to a member of another organization.')
}
