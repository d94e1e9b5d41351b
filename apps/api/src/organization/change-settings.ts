import { leastRole } from '@pdfnorm/contracts/schema/member'
import type {
  ChangeOrganizationSettingsRequest,
  OrganizationResponse,
} from '@pdfnorm/contracts/schema/organization'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import type { Platform } from '../platform.ts'
import { changeAsMember } from './change-as-member.ts'
import { organizationResponse } from './organization.ts'

/**
 * PUT /api/portal/organization/settings. What is left out stays as it is; together with it the default region has to be
 * one of the allowed ones, whichever of the two was sent.
 */
export async function changeSettings(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
  request: ChangeOrganizationSettingsRequest,
): Promise<
  | OrganizationResponse
  | Refusal<
      'REGION_NOT_ALLOWED' | 'ORGANIZATION_INACTIVE' | 'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'
    >
> {
  return changeAsMember(orm, caller, leastRole.changeOrganization, async (em, organization) => {
    const {
      contact_email: contactEmail = organization.contactEmail,
      default_region: defaultRegion = organization.defaultRegion ?? null,
      allowed_regions: allowedRegions = organization.allowedRegions,
    } = request
    if (defaultRegion !== null && !allowedRegions.includes(defaultRegion)) {
      return new Refusal(
        'REGION_NOT_ALLOWED',
        `The default region ${defaultRegion} is not among the allowed regions. Change both together.`,
      )
    }
    em.assign(organization, {
      contactEmail,
      defaultRegion,
      allowedRegions: [...new Set(allowedRegions)],
    })
    return organizationResponse(organization)
  })
}
