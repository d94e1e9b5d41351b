import { organization } from '@pdfnorm/contracts/endpoint/organization'
import {
  ChangeOrganizationRequest,
  ChangeOrganizationSettingsRequest,
  OrganizationResponse,
} from '@pdfnorm/contracts/schema/organization'
import { changeOrganization } from '../organization/change-organization.ts'
import { changeSettings } from '../organization/change-settings.ts'
import { deactivateOrganization } from '../organization/deactivate-organization.ts'
import { findOrganization } from '../organization/find-organization.ts'
import { accepted, router, twinOf } from './rpc.ts'

/** The twin of the contract's group `organization`. */
export const organizationRpc = router({
  get: twinOf(organization.getOrganization)
    .output(OrganizationResponse)
    .query(({ ctx }) => findOrganization(ctx.platform, ctx.caller)),

  change: twinOf(organization.changeOrganization)
    .input(ChangeOrganizationRequest)
    .output(OrganizationResponse)
    .mutation(async ({ ctx, input }) =>
      accepted(await changeOrganization(ctx.platform, ctx.caller, input)),
    ),

  changeSettings: twinOf(organization.changeOrganizationSettings)
    .input(ChangeOrganizationSettingsRequest)
    .output(OrganizationResponse)
    .mutation(async ({ ctx, input }) =>
      accepted(await changeSettings(ctx.platform, ctx.caller, input)),
    ),

  deactivate: twinOf(organization.deactivateOrganization)
    .output(OrganizationResponse)
    .mutation(async ({ ctx }) => accepted(await deactivateOrganization(ctx.platform, ctx.caller))),
})
