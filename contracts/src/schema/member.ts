import { z } from 'zod'
import { limits } from './limit.ts'
import { IsoDateTime, Uuid } from './identifier.ts'

/** Ascending: each role may do all that the ones before it may. */
export const memberRoles = ['member', 'admin', 'owner'] as const

export const MemberRole = z.enum(memberRoles).meta({
  id: 'MemberRole',
  description: 'member, admin, owner: each may do all that the ones before it may.',
})
export type MemberRole = z.infer<typeof MemberRole>

/**
 * The least role for each thing that can be done in the portal (decision 3.1). An endpoint names its entry, so
 * this table is what the server enforces and what the documentation prints. On a role change: only the owner
 * gives `owner` away, and nobody else changes the owner's role.
 */
export const leastRole = {
  readOrganization: 'member',
  readStatistics: 'member',
  readBilling: 'member',
  readTeam: 'member',
  readWebhooks: 'member',
  readApiKeys: 'member',
  readDocuments: 'member',
  normalizeDocuments: 'member',
  signOut: 'member',
  changeOrganization: 'admin',
  changeApiKeys: 'admin',
  changeWebhooks: 'admin',
  readWebhookSecrets: 'admin',
  readDeliveries: 'admin',
  replayDeadLetters: 'admin',
  inviteMembers: 'admin',
  removeMembers: 'admin',
  changeRoles: 'admin',
  exportData: 'admin',
  deactivateOrganization: 'owner',
  buyPlan: 'owner',
  eraseContent: 'owner',
  deleteAccount: 'owner',
  transferOwnership: 'owner',
} as const satisfies Record<string, MemberRole>

/** Whether a role is at least another one. */
export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return memberRoles.indexOf(role) >= memberRoles.indexOf(least)
}

export const Email = z
  .email()
  .max(limits.emailMaxCharacters)
  .refine(
    (address) => address.lastIndexOf('@') <= limits.emailLocalPartMaxCharacters,
    `must have at most ${limits.emailLocalPartMaxCharacters} characters before the @`,
  )
  .meta({ id: 'Email', description: 'An e-mail address.', examples: ['ada@example.com'] })
export type Email = z.infer<typeof Email>

export const TeamMember = z
  .object({
    id: Uuid,
    email: Email,
    role: MemberRole,
    isActive: z.boolean(),
    emailVerified: z.boolean(),
    createdAt: IsoDateTime,
    lastLoginAt: IsoDateTime.nullable().meta({ description: 'null before the first sign-in.' }),
  })
  .meta({ id: 'TeamMember', description: 'A member of the organization.' })
export type TeamMember = z.infer<typeof TeamMember>

export const InviteMemberRequest = z
  .object({ email: Email, role: MemberRole.exclude(['owner']) })
  .meta({
    id: 'InviteMemberRequest',
    description: 'Who is invited, and as what.',
    examples: [{ email: 'grace@example.com', role: 'member' }],
  })
export type InviteMemberRequest = z.infer<typeof InviteMemberRequest>

export const Invitation = z
  .object({
    id: Uuid,
    email: Email,
    role: MemberRole.exclude(['owner']),
    expiresAt: IsoDateTime.meta({ description: '48 hours after the invitation.' }),
  })
  .meta({ id: 'Invitation', description: 'An invitation that was sent.' })
export type Invitation = z.infer<typeof Invitation>

export const RemovedMember = z
  .object({ id: Uuid, removed: z.literal(true) })
  .meta({ id: 'RemovedMember', description: 'A member that was removed.' })
export type RemovedMember = z.infer<typeof RemovedMember>

export const ChangeRoleRequest = z.object({ role: MemberRole }).meta({
  id: 'ChangeRoleRequest',
  description: 'The new role of a member.',
  examples: [{ role: 'admin' }],
})
export type ChangeRoleRequest = z.infer<typeof ChangeRoleRequest>
