import { z } from 'zod'
import { ApiVersion } from './api-version.ts'
import { Batch } from './batch.ts'
import { FailureInfo } from './failure.ts'
import { IsoDateTime, OutputHash, Uuid } from './identifier.ts'
import { pageOf } from './page.ts'
import { SubmissionStatus } from './submission.ts'
import { WarningInfo } from './warning.ts'
import { SubmissionEventName } from './webhook-endpoint.ts'

export const SubmissionEventData = z
  .object({
    submissionId: Uuid,
    status: SubmissionStatus,
    processingTimeMs: z.int().nonnegative(),
    outputHash: OutputHash.nullable(),
    outputSizeBytes: z.int().nonnegative().nullable(),
    downloadUrl: z.url().nullable(),
    warnings: z.array(WarningInfo),
    failure: FailureInfo.optional().meta({ description: 'Only on FAILED and REJECTED.' }),
  })
  .meta({ id: 'SubmissionEventData', description: 'What became of a submission.' })
export type SubmissionEventData = z.infer<typeof SubmissionEventData>

const envelope = {
  webhookId: Uuid.meta({
    description:
      "The configured webhook's id; for an address of one request or batch a stable one.",
  }),
  timestamp: IsoDateTime,
  apiVersion: ApiVersion,
}

/** Interface, section 6. */
export const SubmissionEvent = z
  .object({ event: SubmissionEventName, ...envelope, data: SubmissionEventData })
  .meta({
    id: 'SubmissionEvent',
    description: 'A submission has ended.',
    examples: [
      {
        event: 'normalization.success',
        webhookId: '0199c8a4-9c54-7f55-b2da-6e7f8091a223',
        timestamp: '2026-11-01T09:30:01.000Z',
        apiVersion: '2026-11-01',
        data: {
          submissionId: '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11',
          status: 'SUCCESS',
          processingTimeMs: 842,
          outputHash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          outputSizeBytes: 48211,
          downloadUrl:
            'https://pdfnorm.example/api/artifacts/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          warnings: [],
        },
      },
    ],
  })
export type SubmissionEvent = z.infer<typeof SubmissionEvent>

export const SubmissionEventPage = pageOf(SubmissionEvent).meta({
  id: 'SubmissionEventPage',
  description: 'A page of events of submissions.',
})
export type SubmissionEventPage = z.infer<typeof SubmissionEventPage>

/** Every submission of a batch has ended, and none came for five seconds (decision 4.2). */
export const BatchEvent = z
  .object({ event: z.literal('batch.complete'), ...envelope, data: Batch })
  .meta({
    id: 'BatchEvent',
    description: 'Every submission of a batch has ended.',
    examples: [
      {
        event: 'batch.complete',
        webhookId: '0199c8a4-9c54-7f55-b2da-6e7f8091a223',
        timestamp: '2026-11-01T09:42:10.000Z',
        apiVersion: '2026-11-01',
        data: {
          batchId: '0199c8a4-7a10-7d21-8f6e-3a4f1c9be2d7',
          name: 'invoices-2026-10',
          status: 'complete',
          total: 120,
          completed: 117,
          failed: 1,
          rejected: 2,
          createdAt: '2026-11-01T09:30:00.000Z',
        },
      },
    ],
  })
export type BatchEvent = z.infer<typeof BatchEvent>

/** Sent on demand, so that a receiver can be tried out. */
export const TestEvent = z
  .object({
    event: z.literal('webhook.test'),
    ...envelope,
    data: z.object({ message: z.string() }),
  })
  .meta({
    id: 'TestEvent',
    description: 'A test that was asked for, so that a receiver can be tried out.',
    examples: [
      {
        event: 'webhook.test',
        webhookId: '0199c8a4-9c54-7f55-b2da-6e7f8091a223',
        timestamp: '2026-11-01T09:30:00.000Z',
        apiVersion: '2026-11-01',
        data: { message: 'This is a test: a member of the organization asked for it.' },
      },
    ],
  })
export type TestEvent = z.infer<typeof TestEvent>

export const WebhookEvent = z
  .discriminatedUnion('event', [SubmissionEvent, BatchEvent, TestEvent])
  .meta({
    id: 'WebhookEvent',
    description: 'What is sent to a webhook; `event` says what `data` is.',
  })
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const WebhookEventName = z
  .enum([...SubmissionEventName.options, 'batch.complete', 'webhook.test'])
  .meta({ id: 'WebhookEventName', description: 'The name of an event.' })
export type WebhookEventName = z.infer<typeof WebhookEventName>

export const DeliveryAttempt = z
  .object({
    at: IsoDateTime,
    statusCode: z.int().min(100).max(599).nullable().meta({ description: 'null: no answer.' }),
    error: z.string().nullable(),
    durationMs: z.int().nonnegative(),
  })
  .meta({
    id: 'DeliveryAttempt',
    description: 'One attempt to send an event.',
    examples: [{ at: '2026-11-01T09:30:01.000Z', statusCode: 200, error: null, durationMs: 118 }],
  })
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const WebhookDelivery = z
  .object({
    eventId: Uuid.meta({ description: 'The same over retries and replays, as `webhook-id`.' }),
    event: WebhookEventName,
    status: z.enum(['pending', 'delivered', 'dead']).meta({
      id: 'DeliveryStatus',
      description:
        'pending: being tried. delivered: acknowledged. dead: given up, and in the dead-letter list.',
    }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'Oldest first.' }),
    createdAt: IsoDateTime,
    nextAttemptAt: IsoDateTime.nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to one webhook.' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveryPage = pageOf(WebhookDelivery).meta({
  id: 'WebhookDeliveryPage',
  description: 'A page of deliveries.',
})
export type WebhookDeliveryPage = z.infer<typeof WebhookDeliveryPage>
