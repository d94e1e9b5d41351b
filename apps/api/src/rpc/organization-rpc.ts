import { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { findOrganization } from '../organization/find-organization.ts'
import { router, signedIn } from './rpc.ts'

/** The twin of the contract's group `organization`. */
export const organizationRpc = router({
  get: signedIn
    .output(OrganizationResponse)
    .query(({ ctx }) => findOrganization(ctx.platform, ctx.caller)),
})
