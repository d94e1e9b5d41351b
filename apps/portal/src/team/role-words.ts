import type { MemberRole } from '@pdfnorm/contracts/schema/member'

export const roleWords: Record<MemberRole, string> = {
  member: 'Reads everything, and tries documents out in the playground.',
  admin: 'Also changes settings, keys, webhooks and the team, and exports the data.',
  owner: 'Also pays, erases and deletes, and deactivates the organization. There is one.',
}
