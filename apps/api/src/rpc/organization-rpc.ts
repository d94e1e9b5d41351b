import { organization } from '@pdfnorm/contracts/endpoint/organization'
import { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { findOrganization } from '../organization/find-organization.ts'
import { router, twinOf } from './rpc.ts'

/** The twin of the contract's group `organization`. */
export const organizationRpc = router({
  get: twinOf(organization.getOrganization)
    .output(OrganizationResponse)
    .query(({ ctx }) => findOrganization(ctx.platform, ctx.caller)),
})
