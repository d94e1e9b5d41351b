import { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { afterAll, beforeAll, expect } from 'vitest'
import { jsonPost, registerTestOrganization, type TestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'
import { startStripeServer, type StripeServer } from './stripe-server.ts'

/** What is bought, unless a test says otherwise. */
export const order = {
  tier: 'starter',
  interval: 'month',
  successUrl: 'https://example.com/paid',
  cancelUrl: 'https://example.com/plans',
} as const

/** GET /api/billing/info. */
export async function infoOf({ fetch }: TestOrganization): Promise<BillingInfo> {
  const response = await fetch('/api/billing/info')
  expect(response.status).toBe(200)
  return BillingInfo.parse(await response.json())
}

/** POST /api/billing/checkout-session. */
export const checkout = ({ fetch }: TestOrganization, body: object = order) =>
  fetch('/api/billing/checkout-session', jsonPost(body))

/** When the period of a subscription ends that a test puts at Stripe. */
export const periodEnd = '2027-01-15T10:00:00.000Z'

/** What Stripe tells of a customer. */
export function eventOf(customer: string, type = 'customer.subscription.updated', more = {}) {
  return JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type,
    data: { object: { object: 'subscription', customer } },
    ...more,
  })
}

export const deactivate = ({ fetch }: TestOrganization) =>
  fetch('/api/portal/organization/deactivate', { method: 'POST' })

/** POST /api/billing/portal-session. */
export const portal = (
  { fetch }: Pick<TestOrganization, 'fetch'>,
  returnUrl: unknown = order.cancelUrl,
) => fetch('/api/billing/portal-session', jsonPost({ returnUrl }))

/** A service that sells through a Stripe of its own, for the tests of one file. */
export function usePayments() {
  let stripe: StripeServer
  let server: TestServer
  beforeAll(async () => {
    stripe = await startStripeServer()
    server = await startTestServer({ payments: stripe.payments, work: true })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  })

  async function customerOf({ id }: TestOrganization): Promise<string> {
    const [row] = await server.database.query<{ customer_id: string }>(
      'select customer_id from subscription where organization_id = $1',
      [id],
    )
    return row?.customer_id ?? ''
  }

  /** An organization that opened a checkout page, as a customer of Stripe. */
  async function customer() {
    const organization = await registerTestOrganization(server)
    expect((await checkout(organization)).status).toBe(200)
    return { organization, customer: await customerOf(organization) }
  }

  /** Puts a subscription at Stripe, as a checkout, the customer portal or a failed payment leaves it. */
  function subscription(customer: string, fields: Record<string, unknown> = {}, tier = 'starter') {
    const { id = `sub_${customer}`, interval = 'month', ...more } = fields
    stripe.subscriptions.set(String(id), {
      id: String(id),
      customer,
      status: 'active',
      billing_cycle_anchor: Date.parse('2026-11-15T10:00:00Z') / 1000,
      cancel_at_period_end: false,
      cancel_at: null,
      items: {
        data: [
          {
            current_period_end: Date.parse(periodEnd) / 1000,
            price: { metadata: { pdfnorm_tier: tier }, recurring: { interval } },
          },
        ],
      },
      ...more,
    })
  }

  async function deliver(payload: string, headers = stripe.signed(payload)): Promise<Response> {
    return server.fetch('/api/billing/webhook', { method: 'POST', headers, body: payload })
  }

  async function received(payload: string): Promise<void> {
    const response = await deliver(payload)
    expect([response.status, await response.json()]).toEqual([200, { received: true }])
  }

  const pagesOf = (customer: string) =>
    (stripe.made.get('v1/checkout/sessions') ?? []).filter((one) => one['customer'] === customer)

  const statusOf = (customer: string) => stripe.subscriptions.get(`sub_${customer}`)?.['status']

  return {
    get stripe() {
      return stripe
    },
    get server() {
      return server
    },
    customerOf,
    customer,
    subscription,
    deliver,
    received,
    pagesOf,
    statusOf,
  }
}
