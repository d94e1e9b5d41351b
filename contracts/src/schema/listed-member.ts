import type { z } from 'zod'
import { IsoDateTime } from './identifier.ts'
import { TeamMember } from './member.ts'

/** One of the team as its page shows it. Of the portal; not of the interface. */
export const ListedMember = TeamMember.extend({
  /** Until when the link of an invitation works; null for a member. */
  invitedUntil: IsoDateTime.nullable(),
})
export type ListedMember = z.infer<typeof ListedMember>
