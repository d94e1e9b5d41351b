import { leastRole } from '@pdfnorm/contracts/schema/member'
import type {
  ChangeOrganizationRequest,
  OrganizationResponse,
} from '@pdfnorm/contracts/schema/organization'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { violatedConstraint } from '../database/violated-constraint.ts'
import type { Platform } from '../platform.ts'
import { changeAsMember } from './change-as-member.ts'
import { organizationResponse } from './organization.ts'
import { isReserved, slugTaken } from './slug.ts'

/** PUT /api/portal/organization. The internal name stays: storage, queue and export are named by it. */
export async function changeOrganization(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
  { name, slug }: ChangeOrganizationRequest,
): Promise<
  | OrganizationResponse
  | Refusal<'SLUG_TAKEN' | 'ORGANIZATION_INACTIVE' | 'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'>
> {
  if (isReserved(slug)) return slugTaken(slug)
  try {
    return await changeAsMember(
      orm,
      caller,
      leastRole.changeOrganization,
      async (em, organization) => {
        em.assign(organization, { name, slug })
        await em.flush()
        return organizationResponse(organization)
      },
    )
  } catch (error) {
    if (violatedConstraint(error) !== 'organization_slug_unique') throw error
    return slugTaken(slug)
  }
}
