import { Email } from '@pdfnorm/contracts/schema/member'
import type {
  ChangeOrganizationSettingsRequest,
  OrganizationResponse,
} from '@pdfnorm/contracts/schema/organization'
import { Region, regions } from '@pdfnorm/contracts/schema/region'
import { z } from 'zod'

/** The settings as a form holds them: an empty text is what the interface says null for. */
export const SettingsFields = z
  .object({
    contactEmail: z.literal('').or(z.string().trim().pipe(Email)),
    allowedRegions: z.array(Region).min(1, 'Choose one region at least.'),
    defaultRegion: z.literal('').or(Region),
  })
  .refine(
    ({ allowedRegions, defaultRegion }) =>
      defaultRegion === '' || allowedRegions.includes(defaultRegion),
    { path: ['defaultRegion'], message: 'Choose one of the allowed regions.' },
  )
export type SettingsFields = z.infer<typeof SettingsFields>

export function settingsFields(organization: OrganizationResponse): SettingsFields {
  return {
    contactEmail: organization.contactEmail ?? '',
    allowedRegions: organization.allowedRegions,
    defaultRegion: organization.defaultRegion ?? '',
  }
}

/**
 * What of the settings was changed; the rest is left out, so that it stays as somebody else may have set it meanwhile.
 * Regions keep their order, for the first of them is where documents go by default; added ones come last.
 */
export function changedSettings(
  organization: OrganizationResponse,
  fields: SettingsFields,
): ChangeOrganizationSettingsRequest {
  const former = settingsFields(organization)
  const contactEmail = fields.contactEmail.trim()
  const { allowedRegions, defaultRegion } = fields
  const kept = former.allowedRegions.filter((region) => allowedRegions.includes(region))
  const added = regions.filter(
    (region) => allowedRegions.includes(region) && !former.allowedRegions.includes(region),
  )
  const sameRegions = added.length === 0 && kept.length === former.allowedRegions.length
  return {
    ...(contactEmail !== former.contactEmail && { contact_email: contactEmail || null }),
    ...(defaultRegion !== former.defaultRegion && { default_region: defaultRegion || null }),
    ...(!sameRegions && { allowed_regions: [...kept, ...added] }),
  }
}
