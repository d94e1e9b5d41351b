import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'
import { limits } from './limit.ts'
import { PageQuery } from './page.ts'
import { DeliveryAttempt, WebhookEvent, WebhookEventName } from './webhook-event.ts'

/** Decision 4.6. */
export const DeadLetter = z
  .object({
    eventId: Uuid,
    webhookId: Uuid,
    url: z.string().meta({ examples: ['https://example.com/hooks/pdfnorm'] }),
    event: WebhookEventName,
    payload: WebhookEvent.meta({ description: 'The body as it was sent.' }),
    attempts: z.array(DeliveryAttempt).meta({
      description: 'Oldest first. The last one says so when nothing was sent any more.',
    }),
    firstAttemptAt: IsoDateTime,
    lastAttemptAt: IsoDateTime,
    deadAt: IsoDateTime,
  })
  .meta({
    id: 'DeadLetter',
    description: 'An event that could not be delivered, kept for thirty days.',
  })
export type DeadLetter = z.infer<typeof DeadLetter>

/** The answer is an array (decision 4.6), so its pages are in the headers, and each of them is long. */
export const DeadLetterQuery = PageQuery.pick({ page: true }).extend({
  page: PageQuery.shape.page.meta({
    description: `The page, counted from 1; each has ${limits.deadLettersPerPage} dead letters.`,
  }),
})
export type DeadLetterQuery = z.infer<typeof DeadLetterQuery>
