import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'
import { limits } from './limit.ts'
import { NormalizeResponse } from './normalize-response.ts'
import { normalizedExample } from './normalize-response-examples.ts'
import { WebhookUrl } from './normalize-request.ts'
import { pageOf } from './page.ts'
import { storedText } from './stored-text.ts'

export const BatchStatus = z.enum(['open', 'in_progress', 'complete']).meta({
  id: 'BatchStatus',
  description:
    'open: no submission yet. in_progress: one has not ended. complete: all have ended; a later submission ' +
    'reopens it.',
})
export type BatchStatus = z.infer<typeof BatchStatus>

export const Batch = z
  .object({
    batchId: Uuid,
    name: z.string(),
    status: BatchStatus,
    total: z.int().nonnegative(),
    completed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    rejected: z.int().nonnegative(),
    createdAt: IsoDateTime,
  })
  .meta({
    id: 'Batch',
    description:
      'A named group of submissions. Metadata only: each submission is processed on its own.',
    examples: [
      {
        batchId: '0199c8a4-7a10-7d21-8f6e-3a4f1c9be2d7',
        name: 'invoices-2026-10',
        status: 'open',
        total: 0,
        completed: 0,
        failed: 0,
        rejected: 0,
        createdAt: '2026-11-01T09:30:00.000Z',
      },
    ],
  })
export type Batch = z.infer<typeof Batch>

export const CreateBatchRequest = z
  .object({
    name: storedText(z.string().min(1).max(limits.nameMaxCharacters))
      .optional()
      .meta({ description: 'Default: `batch-` and the first eight digits of its id.' }),
    webhook_url: WebhookUrl.optional().meta({
      description: 'Receives `batch.complete` when all submissions of the batch have ended.',
    }),
  })
  .meta({
    id: 'CreateBatchRequest',
    description: 'A batch to be created.',
    examples: [{ name: 'invoices-2026-10' }],
  })
export type CreateBatchRequest = z.infer<typeof CreateBatchRequest>

export const BatchPage = pageOf(Batch).meta({ id: 'BatchPage', description: 'A page of batches.' })
export type BatchPage = z.infer<typeof BatchPage>

export const BatchSubmissionPage = pageOf(NormalizeResponse).meta({
  id: 'BatchSubmissionPage',
  description: 'A page of submissions of a batch.',
  examples: [{ items: [normalizedExample], page: 1, page_size: 20 }],
})
export type BatchSubmissionPage = z.infer<typeof BatchSubmissionPage>
