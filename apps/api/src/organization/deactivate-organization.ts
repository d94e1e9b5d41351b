import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import { ApiKeyEntity } from '../api-key/api-key.ts'
import { orderCancellation } from '../billing/order-cancellation.ts'
import type { MemberCaller } from '../caller.ts'
import type { Platform } from '../platform.ts'
import { changeAsMember } from './change-as-member.ts'
import { organizationResponse } from './organization.ts'

/**
 * POST /api/portal/organization/deactivate: for good (interface, section 3.5). Every key is revoked, reading in the
 * portal goes on, and documents that were accepted are still normalized (decision 3.11). What it pays for is cancelled.
 */
export async function deactivateOrganization(
  { orm, clock, queue }: Pick<Platform, 'orm' | 'clock' | 'queue'>,
  caller: MemberCaller,
): Promise<
  | OrganizationResponse
  | Refusal<'ORGANIZATION_INACTIVE' | 'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'>
> {
  const revokedAt = clock.now()
  return changeAsMember(orm, caller, leastRole.deactivateOrganization, async (em, organization) => {
    organization.isActive = false
    await em.nativeUpdate(ApiKeyEntity, { revokedAt: null }, { revokedAt })
    await orderCancellation(queue, em, organization)
    return organizationResponse(organization)
  })
}
