import { organization } from '@pdfnorm/contracts/endpoint/organization'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { changeOrganization } from '../../organization/change-organization.ts'
import { changeSettings } from '../../organization/change-settings.ts'
import { deactivateOrganization } from '../../organization/deactivate-organization.ts'
import { findOrganization } from '../../organization/find-organization.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { memberCallerOf } from '../request-context.ts'

export const organizationRoutes = routes(organization, (platform) => ({
  getOrganization: async ({ req }) => ({
    status: 200,
    body: await findOrganization(platform, memberCallerOf(req)),
  }),

  changeOrganization: async ({ body, req, res }) => {
    const changed = await changeOrganization(platform, memberCallerOf(req), body)
    if (changed instanceof Refusal) return refuse(platform.config, { req, res }, changed)
    return { status: 200, body: changed }
  },

  changeOrganizationSettings: async ({ body, req, res }) => {
    const changed = await changeSettings(platform, memberCallerOf(req), body)
    if (changed instanceof Refusal) return refuse(platform.config, { req, res }, changed)
    return { status: 200, body: changed }
  },

  deactivateOrganization: async ({ req, res }) => {
    const deactivated = await deactivateOrganization(platform, memberCallerOf(req))
    if (deactivated instanceof Refusal) return refuse(platform.config, { req, res }, deactivated)
    return { status: 200, body: deactivated }
  },
}))
