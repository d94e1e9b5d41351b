import { CheckoutSession } from '@pdfnorm/contracts/schema/billing'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { expect, test } from 'vitest'
import type { PortalRpc } from '../src/rpc/portal-rpc.ts'
import { joinTestOrganization } from './member.ts'
import { jsonPost, registerTestOrganization } from './organization.ts'
import { order, infoOf, checkout, periodEnd, eventOf, usePayments } from './paying.ts'
import { problem } from './submitter.ts'

const payments = usePayments()
const { customerOf, customer, subscription, deliver, received } = payments

test('a checkout page sells what the table of plans says, and the plan changes when Stripe tells', async () => {
  const organization = await registerTestOrganization(payments.server)
  const response = await checkout(organization, { ...order, tier: 'pro', interval: 'year' })
  const { url } = CheckoutSession.parse(await response.json())
  const session = payments.stripe.made.get('v1/checkout/sessions')?.at(-1)
  expect(session).toMatchObject({
    url,
    mode: 'subscription',
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
  })
  const price = payments.stripe.made
    .get('v1/prices')
    ?.find(({ id }) => id === session?.['line_items[0][price]'])
  expect(price).toMatchObject({
    unit_amount: 4990 * 100,
    'recurring[interval]': 'year',
    lookup_key: 'pdfnorm_pro_year',
    metadata: { pdfnorm_tier: 'pro' },
  })
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free', paymentCustomerId: null })

  const id = await customerOf(organization)
  subscription(id, { interval: 'year' }, 'pro')
  await received(eventOf(id, 'checkout.session.completed'))
  expect(await infoOf(organization)).toMatchObject({
    planTier: 'pro',
    monthlyDocLimit: 200_000,
    paymentCustomerId: id,
    paymentSubscriptionId: `sub_${id}`,
    billingInterval: 'year',
    subscriptionStatus: 'active',
    currentPeriodEnd: periodEnd,
    cancelAtPeriodEnd: false,
    overageRatePerDoc: 0.003,
  })
})

test('a price is made once, and of several checkout pages only the last can be paid', async () => {
  const organization = await registerTestOrganization(payments.server)
  const growth = { ...order, tier: 'growth' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => checkout(organization, growth)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])

  const id = await customerOf(organization)
  const sessions = payments.stripe.made
    .get('v1/checkout/sessions')
    ?.filter((one) => one['customer'] === id)
  expect(sessions?.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'expired'),
    'open',
  ])
  const prices = payments.stripe.made.get('v1/prices') ?? []
  expect(prices.filter((one) => one['lookup_key'] === 'pdfnorm_growth_month')).toHaveLength(1)
})

test('who has a subscription buys no second one, also before its event has arrived', async () => {
  const { organization, customer: id } = await customer()
  subscription(id, { status: 'unpaid' })
  await problem(checkout(organization), 400, 'SUBSCRIPTION_EXISTS')

  subscription(id, { status: 'canceled' })
  expect((await checkout(organization)).status).toBe(200)
})

test('only the owner of an active organization buys', async () => {
  const organization = await registerTestOrganization(payments.server)
  for (const role of ['admin', 'member'] as const) {
    const member = await joinTestOrganization(payments.server, organization, role)
    const asked = member.fetch('/api/billing/checkout-session', jsonPost(order))
    await problem(asked, 403, 'INSUFFICIENT_ROLE')
    expect((await member.fetch('/api/billing/info')).status).toBe(200)
  }
  await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
  await problem(checkout(organization), 403, 'ORGANIZATION_INACTIVE')
  expect(await customerOf(organization)).toBe('')
})

test('every field of an order is checked, and nothing is made of one that is not valid', async () => {
  const organization = await registerTestOrganization(payments.server)
  const wrong: object[] = [
    {},
    { ...order, tier: 'free' },
    { ...order, tier: 'constructor' },
    { ...order, interval: 'week' },
    { ...order, successUrl: 'javascript:alert(1)' },
    { ...order, cancelUrl: 'data:text/html,x' },
    { ...order, cancelUrl: '/plans' },
    { ...order, successUrl: `https://example.com/${'x'.repeat(5000)}` },
    { ...order, successUrl: 7 },
  ]
  for (const body of wrong) {
    await problem(checkout(organization, body), 400, 'VALIDATION_ERROR')
  }
  expect(await customerOf(organization)).toBe('')
})

test('events that come late, twice, in another order or at once lead to what Stripe has', async () => {
  const { organization, customer: id } = await customer()
  subscription(id)
  const created = eventOf(id, 'customer.subscription.created', { created: 1 })
  await received(eventOf(id, 'customer.subscription.updated', { created: 2 }))
  await received(created)
  await received(created)
  expect(await infoOf(organization)).toMatchObject({ planTier: 'starter' })

  subscription(id, { interval: 'year', cancel_at_period_end: true }, 'growth')
  await Promise.all(Array.from({ length: 8 }, () => received(created)))
  expect(await infoOf(organization)).toMatchObject({
    planTier: 'growth',
    billingInterval: 'year',
    cancelAtPeriodEnd: true,
  })

  payments.stripe.subscriptions.delete(`sub_${id}`)
  await received(eventOf(id, 'customer.subscription.deleted'))
  await received(created)
  expect(await infoOf(organization)).toMatchObject({
    planTier: 'free',
    paymentCustomerId: null,
    paymentSubscriptionId: null,
    billingInterval: 'month',
    subscriptionStatus: 'active',
    cancelAtPeriodEnd: false,
  })
})

test.each([
  ['active', 'starter'],
  ['trialing', 'starter'],
  ['past_due', 'starter'],
  ['unpaid', 'free'],
  ['paused', 'free'],
])('a subscription that is %s gives the plan %s', async (status, planTier) => {
  const { organization, customer: id } = await customer()
  subscription(id, { status })
  await received(eventOf(id))
  expect(await infoOf(organization)).toMatchObject({ planTier, subscriptionStatus: status })
})

test.each(['incomplete', 'incomplete_expired', 'canceled'])(
  'a subscription that is %s is none',
  async (status) => {
    const { organization, customer: id } = await customer()
    subscription(id, { status })
    await received(eventOf(id))
    expect(await infoOf(organization)).toMatchObject({
      planTier: 'free',
      paymentSubscriptionId: null,
    })
  },
)

test('the end of an old subscription does not take the plan of the one that followed it', async () => {
  const { organization, customer: id } = await customer()
  subscription(id, { id: 'sub_old', status: 'canceled' })
  subscription(id, { id: 'sub_other_product' }, 'something else')
  subscription(id, { id: 'sub_new', cancel_at: 1_800_000_000 }, 'growth')
  await received(eventOf(id, 'customer.subscription.deleted'))
  expect(await infoOf(organization)).toMatchObject({
    planTier: 'growth',
    paymentSubscriptionId: 'sub_new',
    cancelAtPeriodEnd: true,
  })
})

test('an event moves its own customer and nobody else', async () => {
  const one = await customer()
  const other = await customer()
  subscription(one.customer)
  subscription(other.customer)
  await received(eventOf(one.customer))
  expect(await infoOf(one.organization)).toMatchObject({ planTier: 'starter' })
  expect(await infoOf(other.organization)).toMatchObject({ planTier: 'free' })
})

test('events about nothing of ours and of other API versions are received', async () => {
  await received(eventOf('cus_of_somebody_else'))
  await received(JSON.stringify({ id: 'evt_2', object: 'v2.core.event', type: 'v2.x' }))
  await received(JSON.stringify({ data: { object: { customer: { id: 'expanded' } } } }))
  await received('null')

  const { organization, customer: id } = await customer()
  subscription(id)
  await received(eventOf(id, 'invoice.paid', { api_version: '2015-01-01' }))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'starter' })
})

test('an event that Stripe did not sign changes nothing', async () => {
  const { organization, customer: id } = await customer()
  subscription(id)
  const payload = eventOf(id)
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  const forged: Record<string, string>[] = [
    payments.stripe.signed(payload, 'whsec_of_somebody_else'),
    payments.stripe.signed(payload, undefined, hourAgo),
    payments.stripe.signed(`${payload} `),
    { 'Stripe-Signature': 'nothing' },
    { 'Stripe-Signature': '' },
    { 'Stripe-Signature': `t=${hourAgo},v1=` },
  ]
  for (const headers of forged) {
    await problem(deliver(payload, headers), 400, 'VALIDATION_ERROR')
  }
  await problem(deliver(payload, {}), 401, 'MISSING_CREDENTIALS')
  await problem(deliver('{', payments.stripe.signed('{')), 400, 'VALIDATION_ERROR')
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })
})

test('while Stripe is away, both sides are told to try again, and then it goes on', async () => {
  const { organization, customer: id } = await customer()
  subscription(id)
  payments.stripe.isAway = true
  await problem(checkout(organization), 503, 'UNAVAILABLE')
  const refused = await deliver(eventOf(id))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  payments.stripe.isAway = false

  await received(eventOf(id))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'starter' })
})

test('while Stripe takes its time, nothing of the organization waits', async () => {
  const { organization, customer: id } = await customer()
  const rename = (name: string) =>
    organization.fetch('/api/portal/organization', {
      ...jsonPost({ name, slug: organization.slug }),
      method: 'PUT',
    })

  const ofCheckout = payments.stripe.holdNext()
  const opening = checkout(organization)
  await ofCheckout.arrived
  expect((await rename('During a checkout')).status).toBe(200)
  ofCheckout.release()
  expect((await opening).status).toBe(200)

  subscription(id)
  const ofEvent = payments.stripe.holdNext()
  const delivered = received(eventOf(id))
  await ofEvent.arrived
  expect((await rename('During an event')).status).toBe(200)
  ofEvent.release()
  await delivered
  expect(await infoOf(organization)).toMatchObject({ planTier: 'starter' })
})

test('an answer of Stripe that was overtaken by a later one is not written', async () => {
  const { organization, customer: id } = await customer()
  subscription(id)
  const slow = payments.stripe.holdNext()
  const overtaken = received(eventOf(id))
  await slow.arrived
  subscription(id, {}, 'growth')
  await received(eventOf(id))
  slow.release()
  await overtaken
  expect(await infoOf(organization)).toMatchObject({ planTier: 'growth' })
})

test('the procedure opens the same checkout page', async () => {
  const { accessToken } = await registerTestOrganization(payments.server)
  const client = createTRPCClient<PortalRpc>({
    links: [
      httpBatchLink({
        url: `${payments.server.url}/rpc`,
        headers: { Authorization: `Bearer ${accessToken}` },
      }),
    ],
  })
  const { url } = await client.billing.createCheckoutSession.mutate(order)
  expect(url).toBe(payments.stripe.made.get('v1/checkout/sessions')?.at(-1)?.['url'])
})
