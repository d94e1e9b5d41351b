import { submissions } from '@pdfnorm/contracts/endpoint/submissions'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { findSubmission, submissionRecord } from '../../submission/find-submission.ts'
import { listEndedSubmissions } from '../../submission/list-ended-submissions.ts'
import { routes } from '../mount.ts'
import { setPageHeaders } from '../page-headers.ts'
import { refuse } from '../problem-response.ts'
import { apiKeyCallerOf } from '../request-context.ts'

export const submissionRoutes = routes(submissions, (platform) => ({
  getSubmission: async ({ req, res, params }) => {
    const found = await findSubmission(platform, apiKeyCallerOf(req), params.submissionId)
    if (found instanceof Refusal) return refuse(platform.config, { req, res }, found)
    return { status: 200, body: submissionRecord(found, platform.config.baseUrl) }
  },

  listEvents: async ({ query, req, res }) => {
    const { organization } = apiKeyCallerOf(req)
    const { events, total } = await listEndedSubmissions(platform, organization, query)
    setPageHeaders(platform.config, { req, res }, query, total)
    const { page, page_size } = query
    return { status: 200, body: { items: events, page, page_size } }
  },
}))
