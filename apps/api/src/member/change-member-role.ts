import {
  isAtLeast,
  leastRole,
  type MemberRole,
  type TeamMember,
} from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { InvitationEntity } from './invitation.ts'
import { MemberEntity } from './member.ts'
import { invitedTeamMember, teamMember } from './team-member.ts'

/**
 * PUT /api/portal/team/{userId}/role. There is one owner: giving `owner` to a member moves it, and the former owner
 * becomes an admin, in one transaction (decision 3.2).
 */
export async function changeMemberRole(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
  id: string,
  role: MemberRole,
): Promise<
  | TeamMember
  | Refusal<
      | 'INVALID_ROLE'
      | 'CANNOT_CHANGE_OWN_ROLE'
      | 'NOT_FOUND'
      | 'ORGANIZATION_INACTIVE'
      | 'INSUFFICIENT_ROLE'
      | 'INVALID_ACCESS_TOKEN'
    >
> {
  return changeAsMember(orm, caller, leastRole.changeRoles, async (em, _organization, own) => {
    if (id === caller.memberId) {
      return new Refusal('CANNOT_CHANGE_OWN_ROLE', 'Ask another admin, or the owner.')
    }
    if (role === 'owner' && !isAtLeast(own, leastRole.transferOwnership)) {
      return new Refusal('INSUFFICIENT_ROLE', 'Only the owner gives the ownership away.')
    }

    const invitation = await em.findOne(InvitationEntity, { id })
    if (invitation !== null) {
      if (role === 'owner') {
        return new Refusal('INVALID_ROLE', 'Who is invited has to accept before owning anything.')
      }
      invitation.role = role
      return invitedTeamMember(invitation)
    }

    const member = await em.findOne(MemberEntity, { id })
    if (member === null) return new Refusal('NOT_FOUND', 'The organization has no such member.')
    if (member.role === 'owner') {
      return new Refusal('INSUFFICIENT_ROLE', 'Only the owner gives the ownership away.')
    }
    // First the one: the database knows no organization with two owners.
    if (role === 'owner') {
      await em.nativeUpdate(MemberEntity, { id: caller.memberId }, { role: 'admin' })
    }
    member.role = role
    return teamMember(member)
  })
}
