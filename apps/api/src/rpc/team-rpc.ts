import { team } from '@pdfnorm/contracts/endpoint/team'
import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { ListedMember } from '@pdfnorm/contracts/schema/listed-member'
import {
  ChangeRoleRequest,
  Invitation,
  InviteMemberRequest,
  RemovedMember,
  TeamMember,
} from '@pdfnorm/contracts/schema/member'
import { z } from 'zod'
import { changeMemberRole } from '../member/change-member-role.ts'
import { inviteMember } from '../member/invite-member.ts'
import { listMembers } from '../member/list-members.ts'
import { removeMember } from '../member/remove-member.ts'
import { accepted, router, twinOf } from './rpc.ts'

/** The twin of the contract's group `team`. */
export const teamRpc = router({
  list: twinOf(team.listMembers)
    .output(z.array(ListedMember))
    .query(async ({ ctx: { platform, caller } }) =>
      (await listMembers(platform, caller)).map((member) => ({
        ...member,
        // Who is invited is on the list, too, and not active before they accept.
        invitedUntil: member.isActive
          ? null
          : new Date(Date.parse(member.createdAt) + platform.config.inviteTtlMs).toISOString(),
      })),
    ),

  invite: twinOf(team.inviteMember)
    .input(InviteMemberRequest)
    .output(Invitation)
    .mutation(async ({ ctx, input }) =>
      accepted(await inviteMember(ctx.platform, ctx.caller, input)),
    ),

  remove: twinOf(team.removeMember)
    .input(z.object({ userId: Uuid }))
    .output(RemovedMember)
    .mutation(async ({ ctx, input }) =>
      accepted(await removeMember(ctx.platform, ctx.caller, input.userId)),
    ),

  changeRole: twinOf(team.changeMemberRole)
    .input(ChangeRoleRequest.extend({ userId: Uuid }))
    .output(TeamMember)
    .mutation(async ({ ctx, input }) =>
      accepted(await changeMemberRole(ctx.platform, ctx.caller, input.userId, input.role)),
    ),
})
