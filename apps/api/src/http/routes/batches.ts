import { batches } from '@pdfnorm/contracts/endpoint/batches'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { batchBody } from '../../batch/batch.ts'
import { createBatch } from '../../batch/create-batch.ts'
import { findBatch } from '../../batch/find-batch.ts'
import { listBatches } from '../../batch/list-batches.ts'
import { listBatchSubmissions } from '../../submission/list-batch-submissions.ts'
import { normalizeResponse } from '../../submission/normalize-response.ts'
import { routes } from '../mount.ts'
import { setPageHeaders } from '../page-headers.ts'
import { refuse } from '../problem-response.ts'
import { apiKeyCallerOf, contextOf } from '../request-context.ts'

export const batchRoutes = routes(batches, (platform) => ({
  createBatch: async ({ body, req, res }) => {
    const { apiVersion } = contextOf(req)
    const created = await createBatch(platform, apiKeyCallerOf(req), body, apiVersion)
    if (created instanceof Refusal) return refuse(platform.config, { req, res }, created)
    return { status: 201, body: batchBody(created) }
  },

  listBatches: async ({ query, req, res }) => {
    const { batches, total } = await listBatches(platform, apiKeyCallerOf(req).organization, query)
    setPageHeaders(platform.config, { req, res }, query, total)
    const { page, page_size } = query
    return { status: 200, body: { items: batches.map(batchBody), page, page_size } }
  },

  getBatch: async ({ params, req, res }) => {
    const found = await findBatch(platform, apiKeyCallerOf(req).organization, params.batchId)
    if (found instanceof Refusal) return refuse(platform.config, { req, res }, found)
    return { status: 200, body: batchBody(found) }
  },

  listBatchSubmissions: async ({ params, query, req, res }) => {
    const { organization } = apiKeyCallerOf(req)
    const listed = await listBatchSubmissions(platform, organization, params.batchId, query)
    if (listed instanceof Refusal) return refuse(platform.config, { req, res }, listed)

    setPageHeaders(platform.config, { req, res }, query, listed.total)
    const { requestId } = contextOf(req)
    const at = { baseUrl: platform.config.baseUrl, requestId }
    const items = listed.submissions.map((submission) => normalizeResponse(submission, at))
    const { page, page_size } = query
    return { status: 200, body: { items, page, page_size } }
  },
}))
