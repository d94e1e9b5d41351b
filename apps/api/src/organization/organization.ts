import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { PlanTier } from '@pdfnorm/contracts/schema/plan'
import type { Region } from '@pdfnorm/contracts/schema/region'

export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    slug: p.text(),
    schemaName: p.text(),
    contactEmail: p.text().nullable(),
    defaultRegion: p.text().$type<Region>().nullable(),
    allowedRegions: p.array().columnType('text[]').$type<Region[]>(),
    planTier: p.text().$type<PlanTier>(),
    isActive: p.boolean(),
    createdAt: p.datetime(3),
  },
})
export type Organization = InferEntity<typeof OrganizationEntity>
