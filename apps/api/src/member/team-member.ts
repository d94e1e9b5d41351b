import type { TeamMember } from '@pdfnorm/contracts/schema/member'
import type { InferEntity } from '@mikro-orm/core'
import type { InvitationEntity } from './invitation.ts'
import type { Member } from './member.ts'

/** A member as the interface shows it (section 2.8). */
export function teamMember(member: Member): TeamMember {
  return {
    id: member.id,
    email: member.email,
    role: member.role,
    isActive: member.isActive,
    emailVerified: member.emailVerified,
    createdAt: member.createdAt.toISOString(),
    lastLoginAt: member.lastLoginAt?.toISOString() ?? null,
  }
}

/** Who is invited is on the team's list too, and not active before the invitation is accepted. */
export function invitedTeamMember(invitation: InferEntity<typeof InvitationEntity>): TeamMember {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    isActive: false,
    emailVerified: false,
    createdAt: invitation.createdAt.toISOString(),
    lastLoginAt: null,
  }
}
