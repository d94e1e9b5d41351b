import type { PaymentEventReceipt } from '@pdfnorm/contracts/schema/billing'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { Stripe } from 'stripe'
import { z } from 'zod'
import type { Platform } from '../platform.ts'
import { followSubscription } from './follow-subscription.ts'
import { askProcessor, noPayments } from './processor-refusals.ts'

/**
 * POST /api/billing/webhook: the only thing that changes a plan (decision 6.4). An event only says that something
 * happened to a customer; what, the processor is asked. So a repeated event, one that was overtaken and one of another
 * API version all lead to the same plan, and events about nothing of ours are received and lead to nothing.
 *
 * @param payload the body as it was signed
 * @param signature the header Stripe-Signature
 */
export async function receivePaymentEvent(
  platform: Pick<Platform, 'orm' | 'log' | 'queue' | 'payments'>,
  payload: Buffer | string,
  signature: string | undefined,
): Promise<
  PaymentEventReceipt | Refusal<'VALIDATION_ERROR' | 'MISSING_CREDENTIALS' | 'UNAVAILABLE'>
> {
  const { payments, log } = platform
  if (payments === null) return noPayments()
  if (signature === undefined) {
    return new Refusal('MISSING_CREDENTIALS', 'The header Stripe-Signature is missing.')
  }
  const customerId = customerOf(payload, signature, payments.webhookSecret)
  if (customerId instanceof Refusal) return customerId
  if (customerId === null) return { received: true }

  return askProcessor(platform, async () => {
    const followed = await followSubscription(platform, payments, customerId)
    if (!followed) log.info('a payment event tells of a customer of somebody else')
    return { received: true } as const
  })
}

/** What every API version has at these places: most things tell whose they are; a customer is one itself. */
const CustomerEvent = z.object({
  data: z.object({
    object: z.union([
      z.object({ customer: z.string() }).transform(({ customer }) => customer),
      z.object({ object: z.literal('customer'), id: z.string() }).transform(({ id }) => id),
    ]),
  }),
})

function customerOf(
  payload: Buffer | string,
  signature: string,
  secret: string,
): string | null | Refusal<'VALIDATION_ERROR'> {
  const { signature: verifier } = Stripe.webhooks
  if (verifier === null) throw new Error("Stripe's SDK cannot check signatures here")
  let event: unknown
  try {
    verifier.verifyHeader(payload, signature, secret, signatureMaxAgeSeconds)
    event = JSON.parse(payload.toString())
  } catch {
    // Of a header that is not well-formed the SDK throws plain errors, too.
    return new Refusal(
      'VALIDATION_ERROR',
      'The body is not an event that was signed with the secret of this endpoint.',
    )
  }
  const parsed = CustomerEvent.safeParse(event)
  return parsed.success ? parsed.data.data.object : null
}

/** What Stripe's SDK takes by itself. */
const signatureMaxAgeSeconds = 300
