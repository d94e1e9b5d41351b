import { leastRole, type RemovedMember } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { InvitationEntity } from './invitation.ts'
import { MemberEntity } from './member.ts'

/**
 * DELETE /api/portal/team/{userId}: of a member, whose sessions and mailed links go along, or of an invitation. The
 * address is free again.
 */
export async function removeMember(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
  id: string,
): Promise<
  | RemovedMember
  | Refusal<
      | 'CANNOT_REMOVE_OWNER'
      | 'NOT_FOUND'
      | 'ORGANIZATION_INACTIVE'
      | 'INSUFFICIENT_ROLE'
      | 'INVALID_ACCESS_TOKEN'
    >
> {
  return changeAsMember(orm, caller, leastRole.removeMembers, async (em) => {
    const withdrawn = await em.nativeDelete(InvitationEntity, { id })
    if (withdrawn > 0) return { id, removed: true } as const

    const member = await em.findOne(MemberEntity, { id })
    if (member === null) return new Refusal('NOT_FOUND', 'The organization has no such member.')
    if (member.role === 'owner') {
      return new Refusal('CANNOT_REMOVE_OWNER', 'Give the ownership to another member first.')
    }
    await em.nativeDelete(MemberEntity, { id })
    return { id, removed: true } as const
  })
}
