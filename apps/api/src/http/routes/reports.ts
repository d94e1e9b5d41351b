import { reports } from '@pdfnorm/contracts/endpoint/reports'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { findReport } from '../../report/find-report.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { apiKeyCallerOf } from '../request-context.ts'

export const reportRoutes = routes(reports, (platform) => ({
  getReport: async ({ req, res, params }) => {
    const found = await findReport(platform, apiKeyCallerOf(req), params.hash)
    if (found instanceof Refusal) return refuse(platform.config, { req, res }, found)
    return { status: 200, body: found }
  },
}))
