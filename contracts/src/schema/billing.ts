import { z } from 'zod'
import { IsoDateTime } from './identifier.ts'
import { limits } from './limit.ts'
import { PaidPlanTier, PlanTier } from './plan.ts'

export const BillingInterval = z
  .enum(['month', 'year'])
  .meta({ id: 'BillingInterval', description: 'How often a subscription is paid.' })
export type BillingInterval = z.infer<typeof BillingInterval>

/** Interface, section 2.9; decision 3.14. */
export const BillingInfo = z
  .object({
    planTier: PlanTier,
    monthlyDocLimit: z.int().nonnegative(),
    currentMonthUsage: z.int().nonnegative(),
    remainingQuota: z.int().nonnegative(),
    usagePercent: z.number().nonnegative().meta({ description: 'Two decimals; may pass 100.' }),
    paymentCustomerId: z.string().nullable(),
    paymentSubscriptionId: z.string().nullable(),
    billingInterval: BillingInterval,
    subscriptionStatus: z
      .string()
      .meta({ description: "The payment processor's word.", examples: ['active', 'past_due'] }),
    currentPeriodEnd: IsoDateTime.nullable(),
    cancelAtPeriodEnd: z.boolean(),
    overageRatePerDoc: z.number().nonnegative().meta({ description: 'US dollars.' }),
  })
  .meta({
    id: 'BillingInfo',
    description: 'The plan, what is used of it, and the subscription.',
    examples: [
      {
        planTier: 'free',
        monthlyDocLimit: 100,
        currentMonthUsage: 12,
        remainingQuota: 88,
        usagePercent: 12,
        paymentCustomerId: null,
        paymentSubscriptionId: null,
        billingInterval: 'month',
        subscriptionStatus: 'active',
        currentPeriodEnd: '2026-12-01T09:30:00.000Z',
        cancelAtPeriodEnd: false,
        overageRatePerDoc: 0,
      },
    ],
  })
export type BillingInfo = z.infer<typeof BillingInfo>

const ReturnUrl = z.url({ protocol: /^https?$/ }).max(limits.urlMaxCharacters)

export const CreateCheckoutSessionRequest = z
  .object({
    tier: PaidPlanTier,
    interval: BillingInterval,
    successUrl: ReturnUrl,
    cancelUrl: ReturnUrl,
  })
  .meta({
    id: 'CreateCheckoutSessionRequest',
    description: 'The plan to buy, and where the checkout page leads back to.',
    examples: [
      {
        tier: 'starter',
        interval: 'month',
        successUrl: 'https://example.com/paid',
        cancelUrl: 'https://example.com/plans',
      },
    ],
  })
export type CreateCheckoutSessionRequest = z.infer<typeof CreateCheckoutSessionRequest>

export const CheckoutSession = z
  .object({
    url: z.url().meta({
      description: "The payment processor's checkout page.",
      examples: ['https://checkout.stripe.com/c/pay/cs_live_a1b2c3'],
    }),
  })
  .meta({ id: 'CheckoutSession', description: 'Where a plan is paid.' })
export type CheckoutSession = z.infer<typeof CheckoutSession>

export const CreatePortalSessionRequest = z.object({ returnUrl: ReturnUrl }).meta({
  id: 'CreatePortalSessionRequest',
  description: 'Where the page of the subscription leads back to.',
  examples: [{ returnUrl: 'https://example.com/plans' }],
})
export type CreatePortalSessionRequest = z.infer<typeof CreatePortalSessionRequest>

export const PortalSession = z
  .object({
    url: z.url().meta({
      description: "The payment processor's page.",
      examples: ['https://billing.stripe.com/p/session/live_a1b2c3'],
    }),
  })
  .meta({
    id: 'PortalSession',
    description: 'Where a subscription is changed or cancelled, and its invoices are.',
  })
export type PortalSession = z.infer<typeof PortalSession>

export const PaymentEventReceipt = z.object({ received: z.literal(true) }).meta({
  id: 'PaymentEventReceipt',
  description: 'What the payment processor is told about an event it sent.',
})
export type PaymentEventReceipt = z.infer<typeof PaymentEventReceipt>
