import { PaidPlanTier } from '@pdfnorm/contracts/schema/plan'
import { BillingInterval, CheckoutSession } from '@pdfnorm/contracts/schema/billing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billOverage } from '../src/billing/bill-overage.ts'
import { cancelSubscription } from '../src/billing/cancel-subscription.ts'
import { openStripe } from '../src/billing/stripe-processor.ts'
import { jsonPost, registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  hasStripeMock,
  startStripeMock,
  type StripeMock,
  withoutStripeMock,
} from './stripe-mock.ts'
import { startStripeServer, type StripeServer } from './stripe-server.ts'

describe.skipIf(!hasStripeMock)(`Stripe's own mock server${withoutStripeMock}`, () => {
  let mock: StripeMock
  let stripe: StripeServer
  let server: TestServer
  beforeAll(async () => {
    mock = await startStripeMock()
    stripe = await startStripeServer({ judge: mock.address })
    server = await startTestServer({ payments: stripe.payments })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
    await mock[Symbol.asyncDispose]()
  })

  test('finds every request of a subscription well-formed, from its checkout to its end', async () => {
    const organization = await registerTestOrganization(server)
    const addresses = []
    for (const tier of PaidPlanTier.options) {
      for (const interval of BillingInterval.options) {
        const order = {
          tier,
          interval,
          successUrl: 'https://example.com/paid',
          cancelUrl: 'https://example.com/plans',
        }
        const opened = await organization.fetch('/api/billing/checkout-session', jsonPost(order))
        addresses.push(CheckoutSession.parse(await opened.json()).url)
      }
    }
    expect(new Set(addresses).size).toBe(6)

    await organization.fetch(
      '/api/billing/portal-session',
      jsonPost({ returnUrl: 'https://example.com/plans' }),
    )

    const [customer] = stripe.made.get('v1/customers') ?? []
    const [price] = stripe.made.get('v1/prices') ?? []
    const subscription = {
      id: 'sub_1',
      customer: customer?.id,
      status: 'active',
      billing_cycle_anchor: 1_800_000_000,
      cancel_at_period_end: false,
      cancel_at: null,
      default_payment_method: 'pm_1',
      items: { data: [{ current_period_end: 1_800_000_000, price }] },
    }
    stripe.subscriptions.set('sub_1', subscription)
    const event = JSON.stringify({ data: { object: { customer: customer?.id } } })
    const followed = await server.fetch('/api/billing/webhook', {
      method: 'POST',
      headers: stripe.signed(event),
      body: event,
    })
    expect(await followed.json()).toEqual({ received: true })

    const cycleStartsAt = '2026-10-01T00:00:00.000Z'
    await server.database.query(
      `insert into document_usage (organization_id, cycle_starts_at, documents, plan_tier)
       values ($1, $2, 10321, 'starter')`,
      [organization.id, cycleStartsAt],
    )
    await billOverage(server.platform, { organizationId: organization.id, cycleStartsAt })
    expect(stripe.made.get('v1/invoiceitems')).toMatchObject([{ amount: '321' }])
    await cancelSubscription(server.platform, organization)
    expect(stripe.subscriptions.get('sub_1')?.['status']).toBe('canceled')

    expect(stripe.judged.filter(({ status }) => status !== 200)).toEqual([])
    expect([...new Set(stripe.judged.map(({ call }) => call))].toSorted()).toEqual([
      'DELETE v1/subscriptions/:id',
      'GET v1/billing_portal/configurations',
      'GET v1/checkout/sessions',
      'GET v1/customers/:id',
      'GET v1/prices',
      'GET v1/subscriptions',
      'POST v1/billing_portal/configurations',
      'POST v1/billing_portal/sessions',
      'POST v1/checkout/sessions',
      'POST v1/checkout/sessions/:id/expire',
      'POST v1/customers',
      'POST v1/invoiceitems',
      'POST v1/invoices',
      'POST v1/invoices/:id',
      'POST v1/prices',
    ])
  })

  test('answers with objects of the form that is read', async () => {
    const payments = openStripe({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_of_the_test',
      address: mock.address,
    })
    const customerId = await payments.createCustomer(crypto.randomUUID(), null)
    expect(customerId).toMatch(/^cus_/)
    expect(await payments.hasCustomer(customerId)).toBe(true)
    const order = {
      tier: 'pro',
      interval: 'year',
      successUrl: 'https://example.com/paid',
      cancelUrl: 'https://example.com/plans',
    } as const
    expect(URL.canParse(await payments.openCheckout(customerId, order))).toBe(true)
    expect(URL.canParse(await payments.openPortal(customerId, order.cancelUrl))).toBe(true)
    // What the mock has subscribed to is no plan of this service.
    expect(await payments.subscriptionsOf(customerId)).toEqual([])
    await payments.closeCheckouts(customerId)
    await payments.cancelSubscriptions(customerId)
    await payments.chargeOverage({
      organizationId: crypto.randomUUID(),
      customerId,
      cycleStartsAt: new Date(),
      documents: 12,
      cents: 12,
    })
  })

  test('refuses what Stripe does not know', async () => {
    const { protocol, host, port } = mock.address
    const refused = await fetch(`${protocol}://${host}:${port}/v1/customers`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_test_1' },
      body: new URLSearchParams({ nonsense: '1' }),
    })
    expect(refused.status).toBe(400)
  })
})
