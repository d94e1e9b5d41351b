import { defineEntity, p } from '@mikro-orm/core'
import type { Invitation } from '@pdfnorm/contracts/schema/member'

/** Somebody who was asked to become a member; accepting it makes the member, with the same id. */
export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Lower case; unique in the organization. */
    email: p.text(),
    role: p.text().$type<Invitation['role']>(),
    createdAt: p.datetime(3),
  },
})
