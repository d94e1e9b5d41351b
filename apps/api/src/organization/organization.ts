import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { plans, type PlanTier } from '@pdfnorm/contracts/schema/plan'
import type { Region } from '@pdfnorm/contracts/schema/region'
import type { CallingOrganization } from '../caller.ts'

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
    /** What the months of its quota are counted from; null: its registration. */
    quotaCountsFrom: p.datetime(3).nullable(),
  },
})
export type Organization = InferEntity<typeof OrganizationEntity>

/** What a caller carries of its organization. */
export function callingOrganization(
  organization: Pick<Organization, keyof CallingOrganization>,
): CallingOrganization {
  return {
    id: organization.id,
    schemaName: organization.schemaName,
    planTier: organization.planTier,
    isActive: organization.isActive,
    createdAt: organization.createdAt,
    quotaCountsFrom: organization.quotaCountsFrom ?? null,
    defaultRegion: organization.defaultRegion ?? null,
    allowedRegions: organization.allowedRegions,
  }
}

/** The organization as the interface shows it (section 2.5). */
export function organizationResponse(organization: Organization): OrganizationResponse {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    schemaName: organization.schemaName,
    contactEmail: organization.contactEmail ?? null,
    defaultRegion: organization.defaultRegion ?? null,
    allowedRegions: organization.allowedRegions,
    planTier: organization.planTier,
    monthlyDocLimit: plans[organization.planTier].monthlyDocuments,
    isActive: organization.isActive,
    createdAt: organization.createdAt.toISOString(),
  }
}

/**
 * Locks an organization in the transaction of `em` and reads it as it is then. Whatever changes its people or itself
 * locks it first, so that such changes follow one another. Rows that only refer to it are not held up.
 */
export async function lockOrganization(em: EntityManager, id: string): Promise<Organization> {
  await em.execute('select id from organization where id = ? for no key update', [id])
  return em.findOneOrFail(OrganizationEntity, id, { refresh: true })
}

/** Why a deactivated organization's request to change something is refused (decision 3.11). */
export const organizationInactive =
  'The organization is deactivated: it can be read and not changed.'
