import type { TeamMember } from '@pdfnorm/contracts/schema/member'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { InvitationEntity } from './invitation.ts'
import { MemberEntity } from './member.ts'
import { invitedTeamMember, teamMember } from './team-member.ts'

/** GET /api/portal/team: the members, the first one first, then those who are invited. */
export async function listMembers(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
): Promise<TeamMember[]> {
  const orderBy = { createdAt: 'asc', id: 'asc' } as const
  return withOrganization(orm, caller.organization.id, async (em) => [
    ...(await em.findAll(MemberEntity, { orderBy })).map(teamMember),
    ...(await em.findAll(InvitationEntity, { orderBy })).map(invitedTeamMember),
  ])
}
