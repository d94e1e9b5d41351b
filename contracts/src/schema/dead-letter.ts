import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'
import { DeliveryAttempt, WebhookEvent, WebhookEventName } from './webhook-event.ts'

/** Decision 4.6. */
export const DeadLetter = z
  .object({
    eventId: Uuid,
    webhookId: Uuid,
    url: z.string(),
    event: WebhookEventName,
    payload: WebhookEvent.meta({ description: 'The body as it was sent.' }),
    attempts: z.array(DeliveryAttempt),
    firstAttemptAt: IsoDateTime,
    lastAttemptAt: IsoDateTime,
    deadAt: IsoDateTime,
  })
  .meta({
    id: 'DeadLetter',
    description: 'An event that could not be delivered, kept for thirty days.',
  })
export type DeadLetter = z.infer<typeof DeadLetter>
