import { team } from '@pdfnorm/contracts/endpoint/team'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { changeMemberRole } from '../../member/change-member-role.ts'
import { inviteMember } from '../../member/invite-member.ts'
import { listMembers } from '../../member/list-members.ts'
import { removeMember } from '../../member/remove-member.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { memberCallerOf } from '../request-context.ts'

export const teamRoutes = routes(team, (platform) => ({
  listMembers: async ({ req }) => ({
    status: 200,
    body: await listMembers(platform, memberCallerOf(req)),
  }),

  inviteMember: async ({ body, req, res }) => {
    const invitation = await inviteMember(platform, memberCallerOf(req), body)
    if (invitation instanceof Refusal) return refuse(platform.config, { req, res }, invitation)
    return { status: 200, body: invitation }
  },

  removeMember: async ({ params, req, res }) => {
    const removed = await removeMember(platform, memberCallerOf(req), params.userId)
    if (removed instanceof Refusal) return refuse(platform.config, { req, res }, removed)
    return { status: 200, body: removed }
  },

  changeMemberRole: async ({ params, body, req, res }) => {
    const caller = memberCallerOf(req)
    const changed = await changeMemberRole(platform, caller, params.userId, body.role)
    if (changed instanceof Refusal) return refuse(platform.config, { req, res }, changed)
    return { status: 200, body: changed }
  },
}))
