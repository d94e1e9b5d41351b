import type { BillingInterval } from '@pdfnorm/contracts/schema/billing'
import { monthsPaidPerYear, PaidPlanTier, plans } from '@pdfnorm/contracts/schema/plan'
import { Stripe } from 'stripe'
import type { PaymentProcessor, ProcessorSubscription } from './payment-processor.ts'

/** Where Stripe is asked; a test asks a server of its own. */
export interface StripeAccess {
  secretKey: string
  webhookSecret: string
  address?: { protocol: 'http' | 'https'; host: string; port: number }
}

/** The metadata of a price that says which plan it pays for. */
const tierKey = 'pdfnorm_tier'

/** Stripe through its SDK, which pins the API version that its types are of. */
export function openStripe({ secretKey, webhookSecret, address }: StripeAccess): PaymentProcessor {
  const stripe = new Stripe(secretKey, {
    timeout: 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...address,
  })

  return {
    webhookSecret,
    test: null,

    async createCustomer(organizationId) {
      const customer = await stripe.customers.create(
        { metadata: { organization_id: organizationId } },
        { idempotencyKey: `customer-${organizationId}` },
      )
      return customer.id
    },

    async openCheckout(customer, { tier, interval, successUrl, cancelUrl }) {
      // Two pages that both can be paid would make two subscriptions.
      for await (const open of stripe.checkout.sessions.list({ customer, status: 'open' })) {
        await stripe.checkout.sessions.expire(open.id)
      }
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: await priceOf(stripe, tier, interval), quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
      })
      if (session.url === null) throw new Error('Stripe opened a checkout session without a page')
      return session.url
    },

    async subscriptionsOf(customer) {
      const found: ProcessorSubscription[] = []
      for await (const subscription of stripe.subscriptions.list({ customer, status: 'all' })) {
        const known = processorSubscription(subscription)
        if (known !== null) found.push(known)
      }
      return found
    },

    // An invoice of its own, so that a plan paid by the year or ended is charged for each month, too.
    async chargeOverage({ organizationId, customerId: customer, cycleStartsAt, documents, cents }) {
      if (cents === 0) return
      const key = `overage-${organizationId}-${cycleStartsAt.toISOString()}`
      const invoice = await stripe.invoices.create(
        {
          customer,
          currency: 'usd',
          auto_advance: false,
          collection_method: 'charge_automatically',
          pending_invoice_items_behavior: 'exclude',
        },
        { idempotencyKey: `${key}-invoice` },
      )
      const since = cycleStartsAt.toISOString().slice(0, 10)
      await stripe.invoiceItems.create(
        {
          customer,
          invoice: invoice.id,
          currency: 'usd',
          amount: cents,
          description: `${documents} documents beyond the quota of the month from ${since}`,
        },
        { idempotencyKey: `${key}-item` },
      )
      // Stripe collects it only with its item.
      await stripe.invoices.update(invoice.id, { auto_advance: true })
    },
  }
}

/**
 * The price of a plan, made where Stripe does not have it yet: the table of plans says what it is. When that changes,
 * the key moves to a new price and who has subscribed keeps the former.
 */
async function priceOf(
  stripe: Stripe,
  tier: PaidPlanTier,
  interval: BillingInterval,
): Promise<string> {
  const months = interval === 'year' ? monthsPaidPerYear : 1
  const cents = plans[tier].pricePerMonthUsd * months * 100
  const lookupKey = `pdfnorm_${tier}_${interval}`
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true })
  const current = data.find(
    (price) => price.unit_amount === cents && price.metadata[tierKey] === tier,
  )
  if (current !== undefined) return current.id

  const price = await stripe.prices.create(
    {
      currency: 'usd',
      unit_amount: cents,
      recurring: { interval },
      lookup_key: lookupKey,
      transfer_lookup_key: true,
      metadata: { [tierKey]: tier },
      product_data: { name: `pdfnorm ${tier}` },
    },
    { idempotencyKey: `price-${lookupKey}-${cents}` },
  )
  return price.id
}

const notBegunOrEnded = new Set<string>(['incomplete', 'incomplete_expired', 'canceled'])

/** null for one that has not begun or has ended, and for what the customer buys beside the plans of this service. */
function processorSubscription(subscription: Stripe.Subscription): ProcessorSubscription | null {
  if (notBegunOrEnded.has(subscription.status)) return null
  for (const item of subscription.items.data) {
    const tier = PaidPlanTier.safeParse(item.price.metadata[tierKey])
    if (!tier.success) continue
    return {
      id: subscription.id,
      status: subscription.status,
      tier: tier.data,
      interval: item.price.recurring?.interval === 'year' ? 'year' : 'month',
      countsFrom: fromSeconds(subscription.billing_cycle_anchor),
      currentPeriodEndsAt: fromSeconds(item.current_period_end),
      cancelsAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    }
  }
  return null
}

function fromSeconds(seconds: number): Date {
  return new Date(seconds * 1000)
}
