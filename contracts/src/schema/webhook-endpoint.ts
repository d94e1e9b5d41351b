import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'
import { WebhookUrl } from './normalize-request.ts'

/** The events to which a configured webhook may listen (interface, section 4.9). */
export const SubmissionEventName = z
  .enum(['normalization.success', 'normalization.failure', 'normalization.rejected'])
  .meta({
    id: 'SubmissionEventName',
    description: 'An event to which a configured webhook may listen.',
  })
export type SubmissionEventName = z.infer<typeof SubmissionEventName>

const Events = z.array(SubmissionEventName).min(1).max(SubmissionEventName.options.length)

/** `whsec_` and 32 bytes in base64; it signs with the bytes of the whole string (decision 4.4). */
export const WebhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
  .meta({ examples: ['whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='] })

/** Interface, section 2.7. */
export const WebhookConfiguration = z
  .object({
    id: Uuid,
    url: z.string().meta({ examples: ['https://example.com/hooks/pdfnorm'] }),
    events: z.array(SubmissionEventName),
    active: z.boolean(),
    createdAt: IsoDateTime,
    lastDeliveryAt: IsoDateTime.nullable(),
  })
  .meta({
    id: 'WebhookConfiguration',
    description: 'An address of the organization that receives events.',
  })
export type WebhookConfiguration = z.infer<typeof WebhookConfiguration>

export const CreatedWebhook = WebhookConfiguration.extend({
  secret: WebhookSecret.meta({ description: 'Signs the deliveries. It is shown only here.' }),
}).meta({ id: 'CreatedWebhook', description: 'A new webhook, with its signing secret.' })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

export const CreateWebhookRequest = z
  .object({ url: WebhookUrl, events: Events, active: z.boolean().default(true) })
  .meta({
    id: 'CreateWebhookRequest',
    description: 'A webhook to be created.',
    examples: [
      { url: 'https://example.com/hooks/pdfnorm', events: ['normalization.success'], active: true },
    ],
  })
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequest>

export const ChangeWebhookRequest = z
  .object({ url: WebhookUrl.optional(), events: Events.optional(), active: z.boolean().optional() })
  .meta({
    id: 'ChangeWebhookRequest',
    description: 'What is left out stays as it is.',
    examples: [{ active: false }],
  })
export type ChangeWebhookRequest = z.infer<typeof ChangeWebhookRequest>

export const DeletedWebhook = z
  .object({ id: Uuid, deleted: z.literal(true) })
  .meta({ id: 'DeletedWebhook', description: 'A webhook that was deleted.' })
export type DeletedWebhook = z.infer<typeof DeletedWebhook>

export const RotatedWebhookSecret = z
  .object({
    id: Uuid,
    secret: WebhookSecret,
    previousValidUntil: IsoDateTime.meta({
      description: 'Until then deliveries are signed with the previous secret too.',
    }),
  })
  .meta({ id: 'RotatedWebhookSecret', description: 'The new signing secret of a webhook.' })
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>

export const DefaultWebhookSecret = z.object({ secret: WebhookSecret }).meta({
  id: 'DefaultWebhookSecret',
  description:
    "The organization's own secret: it signs what goes to the address of one request or batch.",
})
export type DefaultWebhookSecret = z.infer<typeof DefaultWebhookSecret>

export const RotatedDefaultWebhookSecret = RotatedWebhookSecret.omit({ id: true }).meta({
  id: 'RotatedDefaultWebhookSecret',
  description: 'The new default signing secret.',
})
export type RotatedDefaultWebhookSecret = z.infer<typeof RotatedDefaultWebhookSecret>

export const QueuedEvent = z.object({ eventId: Uuid, status: z.literal('queued') }).meta({
  id: 'QueuedEvent',
  description: 'An event that was put into the queue: a test, or a dead letter again.',
})
export type QueuedEvent = z.infer<typeof QueuedEvent>
