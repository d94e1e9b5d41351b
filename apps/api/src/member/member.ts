import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { MemberRole } from '@pdfnorm/contracts/schema/member'

export const MemberEntity = defineEntity({
  name: 'Member',
  tableName: 'member',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Lower case; unique over all organizations. */
    email: p.text(),
    /** PHC string of argon2id; null until an invited member chose a password. */
    passwordHash: p.text().nullable(),
    role: p.text().$type<MemberRole>(),
    isActive: p.boolean(),
    emailVerified: p.boolean(),
    createdAt: p.datetime(3),
    lastLoginAt: p.datetime(3).nullable(),
  },
})
export type Member = InferEntity<typeof MemberEntity>
