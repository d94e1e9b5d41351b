import type {
  BillingInterval,
  CreateCheckoutSessionRequest,
} from '@pdfnorm/contracts/schema/billing'
import type { PaidPlanTier } from '@pdfnorm/contracts/schema/plan'
import { Stripe } from 'stripe'
import type { TestProcessor } from './test-processor.ts'

/** What takes the money. What it answers about a customer is the truth about the plan (decision 6.4). */
export interface PaymentProcessor {
  /**
   * Gives an organization a customer; the same one also when it is asked twice.
   *
   * @param replaces the customer that it had before and that is gone
   */
  createCustomer(organizationId: string, replaces: string | null): Promise<string>
  /** Whether there is such a customer; it may have been deleted by hand. */
  hasCustomer(customerId: string): Promise<boolean>
  /** Opens a checkout page, the customer's only one that can still be paid, and returns its address. */
  openCheckout(customerId: string, order: CreateCheckoutSessionRequest): Promise<string>
  /** From here on none of the customer's checkout pages can be paid. */
  closeCheckouts(customerId: string): Promise<void>
  /** Opens the page where a customer changes or cancels its subscription, and returns its address. */
  openPortal(customerId: string, returnUrl: string): Promise<string>
  /** The subscriptions of a customer to plans of this service that have begun and not ended. */
  subscriptionsOf(customerId: string): Promise<ProcessorSubscription[]>
  /** Ends the customer's subscriptions to plans of this service at once. */
  cancelSubscriptions(customerId: string): Promise<void>
  /** Charges for documents beyond a plan's quota; the same cycle once. */
  chargeOverage(overage: Overage): Promise<void>
  /** Signs and checks the events. */
  readonly webhookSecret: string
  /** Set where nobody pays: its page is this service's own (http/test-checkout.ts). */
  readonly test: TestProcessor | null
}

export interface Overage {
  readonly organizationId: string
  readonly customerId: string
  readonly cycleStartsAt: Date
  readonly documents: number
  readonly cents: number
}

export interface ProcessorSubscription {
  readonly id: string
  /** `active`, `trialing`, `past_due`, `unpaid` or `paused`. */
  readonly status: string
  readonly tier: PaidPlanTier
  readonly interval: BillingInterval
  /** What the processor counts its periods from. */
  readonly countsFrom: Date
  readonly currentPeriodEndsAt: Date
  readonly cancelsAtPeriodEnd: boolean
}

/** Whether the processor could not be reached, or not now: the same request may succeed in a while. */
export function isProcessorAway(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError
  )
}
