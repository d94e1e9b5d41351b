import type { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { OrganizationEntity, organizationResponse } from './organization.ts'

/** GET /api/portal/organization. */
export async function findOrganization(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
): Promise<OrganizationResponse> {
  return withOrganization(orm, caller.organization.id, async (em) =>
    organizationResponse(await em.findOneOrFail(OrganizationEntity, caller.organization.id)),
  )
}
