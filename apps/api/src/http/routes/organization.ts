import { organization } from '@pdfnorm/contracts/endpoint/organization'
import { findOrganization } from '../../organization/find-organization.ts'
import { routes } from '../mount.ts'
import { memberCallerOf } from '../request-context.ts'

export const organizationRoutes = routes(organization, (platform) => ({
  getOrganization: async ({ req }) => ({
    status: 200,
    body: await findOrganization(platform, memberCallerOf(req)),
  }),
}))
