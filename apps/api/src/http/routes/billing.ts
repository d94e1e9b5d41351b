import { billing } from '@pdfnorm/contracts/endpoint/billing'
import { billingInfo } from '../../billing/billing-info.ts'
import { routes } from '../mount.ts'
import { memberCallerOf } from '../request-context.ts'

export const billingRoutes = routes(billing, (platform) => ({
  getBillingInfo: async ({ req }) => ({
    status: 200,
    body: await billingInfo(platform, memberCallerOf(req)),
  }),
}))
