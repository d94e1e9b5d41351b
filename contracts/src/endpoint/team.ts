import { z } from 'zod'
import { Uuid } from '../schema/identifier.ts'
import {
  ChangeRoleRequest,
  Invitation,
  InviteMemberRequest,
  leastRole,
  RemovedMember,
  TeamMember,
} from '../schema/member.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { bodyRefusals, changeRefusals, memberRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

const MemberPath = z.object({ userId: Uuid })

/** Interface, section 4.11; decisions 3.1 and 3.2. */
export const team = rest.router(
  {
    listMembers: {
      method: 'GET',
      path: '/api/portal/team',
      summary: 'List the members',
      description: 'Every member of the organization.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readTeam,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      responses: { 200: z.array(TeamMember), ...refusals(...memberRefusals) },
    },

    inviteMember: {
      method: 'POST',
      path: '/api/portal/team/invite',
      summary: 'Invite a member',
      description:
        'Sends a link that is good for 48 hours. Who is invited again gets a new link, and the former one ends.',
      metadata: {
        auth: 'bearer',
        role: leastRole.inviteMembers,
        rateLimit: 'invite',
        faults: { 'body.email': 'INVALID_EMAIL', 'body.role': 'INVALID_ROLE' },
      } as const satisfies EndpointMetadata,
      body: InviteMemberRequest,
      responses: {
        200: Invitation,
        ...refusals(
          ...changeRefusals,
          ...bodyRefusals,
          'INVALID_EMAIL',
          'EMAIL_TAKEN',
          'INVALID_ROLE',
          'ALREADY_MEMBER',
          'INVITATION_LIMIT_REACHED',
        ),
      },
    },

    removeMember: {
      method: 'DELETE',
      path: '/api/portal/team/:userId',
      summary: 'Remove a member',
      description: 'Their sessions end at once. The owner cannot be removed.',
      metadata: {
        auth: 'bearer',
        role: leastRole.removeMembers,
        rateLimit: 'portal',
        faults: { 'path.userId': 'NOT_FOUND' },
      } as const satisfies EndpointMetadata,
      pathParams: MemberPath,
      responses: {
        200: RemovedMember,
        ...refusals(...changeRefusals, 'CANNOT_REMOVE_OWNER', 'NOT_FOUND'),
      },
    },

    changeMemberRole: {
      method: 'PUT',
      path: '/api/portal/team/:userId/role',
      summary: 'Change a role',
      description:
        'There is one owner: who gives `owner` away becomes an admin. Only the owner can do that.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeRoles,
        rateLimit: 'portal',
        faults: { 'path.userId': 'NOT_FOUND', 'body.role': 'INVALID_ROLE' },
      } as const satisfies EndpointMetadata,
      pathParams: MemberPath,
      body: ChangeRoleRequest,
      responses: {
        200: TeamMember,
        ...refusals(
          ...changeRefusals,
          ...bodyRefusals,
          'INVALID_ROLE',
          'CANNOT_CHANGE_OWN_ROLE',
          'NOT_FOUND',
        ),
      },
    },
  },
  strict,
)
