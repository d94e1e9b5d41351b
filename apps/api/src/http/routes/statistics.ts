import { statistics } from '@pdfnorm/contracts/endpoint/statistics'
import { organizationStatistics } from '../../statistics/organization-statistics.ts'
import { routes } from '../mount.ts'
import { memberCallerOf } from '../request-context.ts'

export const statisticsRoutes = routes(statistics, (platform) => ({
  getStatistics: async ({ req }) => ({
    status: 200,
    body: await organizationStatistics(platform, memberCallerOf(req)),
  }),
}))
