import { createHash } from 'node:crypto'
import { BillingInterval } from '@pdfnorm/contracts/schema/billing'
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

/** The metadata of a configuration of the customer's page that says which prices it offers. */
const soldKey = 'pdfnorm_prices'

/** No customer has so many subscriptions or checkout pages. */
const atMost = { limit: 1000 }

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

    async createCustomer(organizationId, replaces) {
      const customer = await stripe.customers.create(
        { metadata: { organization_id: organizationId } },
        { idempotencyKey: `customer-${organizationId}-${replaces ?? 'first'}` },
      )
      return customer.id
    },

    async hasCustomer(customerId) {
      const customer = await unlessMissing(stripe.customers.retrieve(customerId))
      return customer !== null && customer.deleted !== true
    },

    async openCheckout(customer, { tier, interval, successUrl, cancelUrl }) {
      // Two pages that both can be paid would make two subscriptions.
      await closeCheckouts(stripe, await openCheckouts(stripe, customer))
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: (await priceOf(stripe, tier, interval)).id, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
      })
      if (session.url === null) throw new Error('Stripe opened a checkout session without a page')
      // Those that were opened in the meantime; whoever did that keeps the same one.
      const [, ...former] = (await openCheckouts(stripe, customer)).toSorted(newestFirst)
      await closeCheckouts(stripe, former)
      return session.url
    },

    async closeCheckouts(customer) {
      await closeCheckouts(stripe, await openCheckouts(stripe, customer))
    },

    async openPortal(customer, returnUrl) {
      const configuration = await portalConfiguration(stripe)
      const session = await stripe.billingPortal.sessions.create({
        customer,
        configuration,
        return_url: returnUrl,
      })
      return session.url
    },

    async subscriptionsOf(customer) {
      const found = (await allSubscriptions(stripe, customer)).map(processorSubscription)
      return found.filter((subscription) => subscription !== null)
    },

    async cancelSubscriptions(customer) {
      for (const subscription of await allSubscriptions(stripe, customer)) {
        if (planItem(subscription) === null || ended.has(subscription.status)) continue
        await unlessMissing(stripe.subscriptions.cancel(subscription.id))
      }
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
      // A checkout page leaves the means of payment with the subscription, and not with the customer.
      const paidBy = (await allSubscriptions(stripe, customer)).find(
        (subscription) => subscription.default_payment_method !== null,
      )?.default_payment_method
      // Stripe collects it only with its item.
      await stripe.invoices.update(invoice.id, {
        auto_advance: true,
        ...(paidBy && { default_payment_method: idOf(paidBy) }),
      })
    },
  }
}

async function openCheckouts(stripe: Stripe, customer: string): Promise<Stripe.Checkout.Session[]> {
  return stripe.checkout.sessions.list({ customer, status: 'open' }).autoPagingToArray(atMost)
}

async function closeCheckouts(
  stripe: Stripe,
  sessions: readonly Stripe.Checkout.Session[],
): Promise<void> {
  for (const { id } of sessions) {
    try {
      await stripe.checkout.sessions.expire(id)
    } catch (error) {
      // Paid or closed in the meantime: it cannot be paid any more.
      const { status } = await stripe.checkout.sessions.retrieve(id)
      if (status === 'open') throw error
    }
  }
}

function newestFirst(one: Stripe.Checkout.Session, other: Stripe.Checkout.Session): number {
  return other.created - one.created || (one.id < other.id ? 1 : -1)
}

/** Newest first, also those that have ended; none of a customer that is gone. */
async function allSubscriptions(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const all = stripe.subscriptions.list({ customer, status: 'all' }).autoPagingToArray(atMost)
  return (await unlessMissing(all)) ?? []
}

/** null where Stripe has no such thing, or has it no more. */
async function unlessMissing<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked
  } catch (error) {
    const missing = error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
    if (!missing) throw error
    return null
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function idOf(expandable: string | { id: string }): string {
  return typeof expandable === 'string' ? expandable : expandable.id
}

/**
 * The price of a plan, made where Stripe does not have it yet: the table of plans says what it is. When that changes,
 * the key moves to a new price and who has subscribed keeps the former.
 */
async function priceOf(
  stripe: Stripe,
  tier: PaidPlanTier,
  interval: BillingInterval,
): Promise<Stripe.Price> {
  const months = interval === 'year' ? monthsPaidPerYear : 1
  const cents = plans[tier].pricePerMonthUsd * months * 100
  const lookupKey = `pdfnorm_${tier}_${interval}`
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true })
  const current = data.find(
    (price) => price.unit_amount === cents && price.metadata[tierKey] === tier,
  )
  if (current !== undefined) return current

  return stripe.prices.create(
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
}

/** What can be done on the customer's page, made where Stripe does not have it for the prices of the table of plans. */
async function portalConfiguration(stripe: Stripe): Promise<string> {
  const prices: Stripe.Price[] = []
  for (const tier of PaidPlanTier.options) {
    for (const interval of BillingInterval.options) {
      prices.push(await priceOf(stripe, tier, interval))
    }
  }
  const sold = sha256(prices.map(({ id }) => id).join())
  const known = await stripe.billingPortal.configurations
    .list({ active: true })
    .autoPagingToArray(atMost)
  const current = known.find(({ metadata }) => metadata?.[soldKey] === sold)
  if (current !== undefined) return current.id

  const configuration = await stripe.billingPortal.configurations.create(
    {
      metadata: { [soldKey]: sold },
      features: {
        customer_update: { enabled: true, allowed_updates: ['name', 'email', 'address', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products: prices.map(({ id, product }) => ({ product: idOf(product), prices: [id] })),
        },
      },
    },
    { idempotencyKey: `portal-${sold}` },
  )
  return configuration.id
}

const ended = new Set<string>(['incomplete_expired', 'canceled'])

/** null for one that has not begun or has ended, and for what the customer buys beside the plans of this service. */
function processorSubscription(subscription: Stripe.Subscription): ProcessorSubscription | null {
  const found = planItem(subscription)
  if (found === null || subscription.status === 'incomplete' || ended.has(subscription.status)) {
    return null
  }
  const { tier, item } = found
  return {
    id: subscription.id,
    status: subscription.status,
    tier,
    interval: item.price.recurring?.interval === 'year' ? 'year' : 'month',
    countsFrom: fromSeconds(subscription.billing_cycle_anchor),
    currentPeriodEndsAt: fromSeconds(item.current_period_end),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
  }
}

/** What of a subscription pays for a plan of this service. */
function planItem(
  subscription: Stripe.Subscription,
): { tier: PaidPlanTier; item: Stripe.SubscriptionItem } | null {
  for (const item of subscription.items.data) {
    const tier = PaidPlanTier.safeParse(item.price.metadata[tierKey])
    if (tier.success) return { tier: tier.data, item }
  }
  return null
}

function fromSeconds(seconds: number): Date {
  return new Date(seconds * 1000)
}
