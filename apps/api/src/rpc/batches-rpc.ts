import { batches } from '@pdfnorm/contracts/endpoint/batches'
import { Batch, BatchStatus } from '@pdfnorm/contracts/schema/batch'
import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { PageQuery } from '@pdfnorm/contracts/schema/page'
import { Submission } from '@pdfnorm/contracts/schema/submission'
import { z } from 'zod'
import { batchBody } from '../batch/batch.ts'
import { findBatch } from '../batch/find-batch.ts'
import { listBatches } from '../batch/list-batches.ts'
import { submissionRecord } from '../submission/find-submission.ts'
import { listBatchSubmissions } from '../submission/list-batch-submissions.ts'
import { accepted, readingTwinOf, router } from './rpc.ts'

const Id = z.object({ batchId: Uuid })

/** A page as an app wants it: with the number of all entries, which the endpoints tell in a header. */
const total = z.int().nonnegative()

/** What the contract's group `batches` lets a key read, for members; batches are created by programs. */
export const batchesRpc = router({
  list: readingTwinOf(batches.listBatches)
    .input(PageQuery.extend({ status: BatchStatus.optional() }))
    .output(z.object({ batches: z.array(Batch), total }))
    .query(async ({ ctx, input }) => {
      const listed = await listBatches(ctx.platform, ctx.caller.organization, input)
      return { batches: listed.batches.map(batchBody), total: listed.total }
    }),

  get: readingTwinOf(batches.getBatch)
    .input(Id)
    .output(Batch)
    .query(async ({ ctx, input }) =>
      batchBody(accepted(await findBatch(ctx.platform, ctx.caller.organization, input.batchId))),
    ),

  submissions: readingTwinOf(batches.listBatchSubmissions)
    .input(PageQuery.extend(Id.shape))
    .output(z.object({ submissions: z.array(Submission), total }))
    .query(async ({ ctx, input }) => {
      const { platform, caller } = ctx
      const listed = accepted(
        await listBatchSubmissions(platform, caller.organization, input.batchId, input),
      )
      const { baseUrl } = platform.config
      return {
        submissions: listed.submissions.map((submission) => submissionRecord(submission, baseUrl)),
        total: listed.total,
      }
    }),
})
