import { BillingInfo, CheckoutSession, PortalSession } from '@pdfnorm/contracts/schema/billing'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelSubscription } from '../src/billing/cancel-subscription.ts'
import { openPortal } from '../src/billing/open-portal.ts'
import { openPaymentProcessor } from '../src/billing/payment-processor.ts'
import { startCheckout } from '../src/billing/start-checkout.ts'
import { readConfig } from '../src/config.ts'
import type { PortalRpc } from '../src/rpc/portal-rpc.ts'
import { joinTestOrganization } from './member.ts'
import { jsonPost, registerTestOrganization, type TestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'
import { startStripeServer, type StripeServer } from './stripe-server.ts'
import { problem } from './submitter.ts'

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

const order = {
  tier: 'starter',
  interval: 'month',
  successUrl: 'https://example.com/paid',
  cancelUrl: 'https://example.com/plans',
} as const

async function infoOf({ fetch }: TestOrganization): Promise<BillingInfo> {
  const response = await fetch('/api/billing/info')
  expect(response.status).toBe(200)
  return BillingInfo.parse(await response.json())
}

const checkout = ({ fetch }: TestOrganization, body: object = order) =>
  fetch('/api/billing/checkout-session', jsonPost(body))

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

const periodEnd = '2027-01-15T10:00:00.000Z'

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

function eventOf(customer: string, type = 'customer.subscription.updated', more = {}) {
  return JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type,
    data: { object: { object: 'subscription', customer } },
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

test('a checkout page sells what the table of plans says, and the plan changes when Stripe tells', async () => {
  const organization = await registerTestOrganization(server)
  const response = await checkout(organization, { ...order, tier: 'pro', interval: 'year' })
  const { url } = CheckoutSession.parse(await response.json())
  const session = stripe.made.get('v1/checkout/sessions')?.at(-1)
  expect(session).toMatchObject({
    url,
    mode: 'subscription',
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
  })
  const price = stripe.made
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
  const organization = await registerTestOrganization(server)
  const growth = { ...order, tier: 'growth' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => checkout(organization, growth)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])

  const id = await customerOf(organization)
  const sessions = stripe.made.get('v1/checkout/sessions')?.filter((one) => one['customer'] === id)
  expect(sessions?.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'expired'),
    'open',
  ])
  const prices = stripe.made.get('v1/prices') ?? []
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
  const organization = await registerTestOrganization(server)
  for (const role of ['admin', 'member'] as const) {
    const member = await joinTestOrganization(server, organization, role)
    const asked = member.fetch('/api/billing/checkout-session', jsonPost(order))
    await problem(asked, 403, 'INSUFFICIENT_ROLE')
    expect((await member.fetch('/api/billing/info')).status).toBe(200)
  }
  await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
  await problem(checkout(organization), 403, 'ORGANIZATION_INACTIVE')
  expect(await customerOf(organization)).toBe('')
})

test('every field of an order is checked, and nothing is made of one that is not valid', async () => {
  const organization = await registerTestOrganization(server)
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

  stripe.subscriptions.delete(`sub_${id}`)
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
    stripe.signed(payload, 'whsec_of_somebody_else'),
    stripe.signed(payload, undefined, hourAgo),
    stripe.signed(`${payload} `),
    { 'Stripe-Signature': 'nothing' },
    { 'Stripe-Signature': '' },
    { 'Stripe-Signature': `t=${hourAgo},v1=` },
  ]
  for (const headers of forged) {
    await problem(deliver(payload, headers), 400, 'VALIDATION_ERROR')
  }
  await problem(deliver(payload, {}), 401, 'MISSING_CREDENTIALS')
  await problem(deliver('{', stripe.signed('{')), 400, 'VALIDATION_ERROR')
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })
})

test('while Stripe is away, both sides are told to try again, and then it goes on', async () => {
  const { organization, customer: id } = await customer()
  subscription(id)
  stripe.isAway = true
  await problem(checkout(organization), 503, 'UNAVAILABLE')
  const refused = await deliver(eventOf(id))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  stripe.isAway = false

  await received(eventOf(id))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'starter' })
})

const pagesOf = (customer: string) =>
  (stripe.made.get('v1/checkout/sessions') ?? []).filter((one) => one['customer'] === customer)

const deactivate = ({ fetch }: TestOrganization) =>
  fetch('/api/portal/organization/deactivate', { method: 'POST' })

const statusOf = (customer: string) => stripe.subscriptions.get(`sub_${customer}`)?.['status']

test('while Stripe takes its time, nothing of the organization waits', async () => {
  const { organization, customer: id } = await customer()
  const rename = (name: string) =>
    organization.fetch('/api/portal/organization', {
      ...jsonPost({ name, slug: organization.slug }),
      method: 'PUT',
    })

  const ofCheckout = stripe.holdNext()
  const opening = checkout(organization)
  await ofCheckout.arrived
  expect((await rename('During a checkout')).status).toBe(200)
  ofCheckout.release()
  expect((await opening).status).toBe(200)

  subscription(id)
  const ofEvent = stripe.holdNext()
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
  const slow = stripe.holdNext()
  const overtaken = received(eventOf(id))
  await slow.arrived
  subscription(id, {}, 'growth')
  await received(eventOf(id))
  slow.release()
  await overtaken
  expect(await infoOf(organization)).toMatchObject({ planTier: 'growth' })
})

test('a customer that was deleted in the dashboard is replaced, and what it paid for has ended', async () => {
  const { organization, customer: former } = await customer()
  subscription(former)
  await received(eventOf(former))
  stripe.deleteCustomer(former)

  const answers = await Promise.all([checkout(organization), checkout(organization)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const id = await customerOf(organization)
  expect(id).not.toBe(former)
  expect(pagesOf(id).filter(({ status }) => status === 'open')).toHaveLength(1)
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free', paymentCustomerId: null })

  subscription(id, {}, 'growth')
  await received(eventOf(id))
  await received(eventOf(former, 'customer.subscription.deleted'))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'growth', paymentCustomerId: id })

  stripe.deleteCustomer(id)
  const deleted = { type: 'customer.deleted', data: { object: { object: 'customer', id } } }
  await received(JSON.stringify(deleted))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })
})

test('a deactivated organization goes on paying for nothing, and for nothing of anybody else', async () => {
  const { organization, customer: id } = await customer()
  const other = await customer()
  subscription(other.customer)
  subscription(id, { status: 'past_due' })
  subscription(id, { id: `sub_unpaid_${id}`, status: 'incomplete' })
  subscription(id, { id: `sub_else_${id}` }, 'something else')
  await received(eventOf(id))
  // Opened by hand: the service opens none for who has a subscription.
  stripe.made.get('v1/checkout/sessions')?.push({ id: `cs_${id}`, customer: id, status: 'open' })

  expect((await deactivate(organization)).status).toBe(200)
  await expect.poll(() => statusOf(id), { interval: 20, timeout: 20_000 }).toBe('canceled')
  expect(stripe.subscriptions.get(`sub_unpaid_${id}`)?.['status']).toBe('canceled')
  expect(stripe.subscriptions.get(`sub_else_${id}`)?.['status']).toBe('active')
  expect(pagesOf(id).map(({ status }) => status)).toEqual(['expired', 'expired'])
  await received(eventOf(id, 'customer.subscription.deleted'))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })
  expect(statusOf(other.customer)).toBe('active')
  expect(pagesOf(other.customer)).toMatchObject([{ status: 'open' }])
})

test('while Stripe is away a deactivation succeeds, and its cancellation is tried again', async () => {
  const { organization, customer: id } = await customer()
  subscription(id)
  stripe.isAway = true
  expect((await deactivate(organization)).status).toBe(200)
  const waiting = () =>
    server.database.query(
      `select state from pgboss.job where name = 'cancel-subscription' and data->>'organizationId' = $1`,
      [organization.id],
    )
  await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toEqual([{ state: 'retry' }])
  stripe.isAway = false

  expect(statusOf(id)).toBe('active')
  await cancelSubscription(server.platform, organization)
  expect(statusOf(id)).toBe('canceled')
  await cancelSubscription(server.platform, organization)
  stripe.deleteCustomer(id)
  await cancelSubscription(server.platform, organization)
})

test('what never asked for a checkout page has nothing to cancel', async () => {
  const organization = await registerTestOrganization(server)
  const { platform } = server
  await expect(cancelSubscription(platform, organization)).resolves.toBeUndefined()
  const unpaid = { ...platform, payments: null }
  await expect(cancelSubscription(unpaid, organization)).resolves.toBeUndefined()
})

test('a page that opens while the organization is deactivated is closed again', async () => {
  const { organization, customer: id } = await customer()
  const slow = stripe.holdNext()
  const opening = checkout(organization)
  await slow.arrived
  expect((await deactivate(organization)).status).toBe(200)
  slow.release()
  await problem(opening, 403, 'ORGANIZATION_INACTIVE')
  expect(new Set(pagesOf(id).map(({ status }) => status))).toEqual(new Set(['expired']))
})

test('what is paid for although the organization is deactivated is cancelled', async () => {
  const { organization, customer: id } = await customer()
  await deactivate(organization)
  subscription(id)
  await received(eventOf(id))
  await expect.poll(() => statusOf(id), { interval: 20, timeout: 20_000 }).toBe('canceled')
})

test('a former page that is paid while a new one opens leaves that one closed', async () => {
  const { organization, customer: id } = await customer()
  const slow = stripe.holdNext()
  const opening = checkout(organization)
  await slow.arrived
  Object.assign(pagesOf(id)[0] ?? {}, { status: 'complete' })
  slow.release()
  subscription(id)
  await problem(opening, 400, 'SUBSCRIPTION_EXISTS')
  expect(pagesOf(id).filter(({ status }) => status === 'open')).toEqual([])
})

const portal = ({ fetch }: Pick<TestOrganization, 'fetch'>, returnUrl: unknown = order.cancelUrl) =>
  fetch('/api/billing/portal-session', jsonPost({ returnUrl }))

test('a customer changes and cancels on a page of Stripe, between the plans that are sold', async () => {
  const { organization, customer: id } = await customer()
  const opened = [await portal(organization), await portal(organization)]
  const sessions = stripe.made.get('v1/billing_portal/sessions') ?? []
  const urls = await Promise.all(
    opened.map(async (answer) => PortalSession.parse(await answer.json()).url),
  )
  expect(urls).toEqual(sessions.map(({ url }) => url))

  const [configuration, ...others] = stripe.made.get('v1/billing_portal/configurations') ?? []
  expect(others).toEqual([])
  expect(sessions).toMatchObject([
    { customer: id, return_url: order.cancelUrl, configuration: configuration?.id },
    { customer: id, return_url: order.cancelUrl, configuration: configuration?.id },
  ])
  expect(configuration).toMatchObject({
    'features[subscription_cancel][enabled]': 'true',
    'features[subscription_cancel][mode]': 'at_period_end',
    'features[subscription_update][default_allowed_updates][0]': 'price',
  })
  const offered = Object.entries(configuration ?? {})
    .filter(([name]) => /products.*prices/.test(name))
    .map(([, price]) => stripe.made.get('v1/prices')?.find((one) => one.id === price))
  expect(offered.map((price) => price?.['lookup_key'])).toEqual([
    'pdfnorm_starter_month',
    'pdfnorm_starter_year',
    'pdfnorm_growth_month',
    'pdfnorm_growth_year',
    'pdfnorm_pro_month',
    'pdfnorm_pro_year',
  ])
})

test('the page of a subscription is for the owner of an active organization that is a customer', async () => {
  await problem(portal(await registerTestOrganization(server)), 404, 'NOT_FOUND')
  const { organization, customer: id } = await customer()
  const admin = await joinTestOrganization(server, organization, 'admin')
  await problem(portal(admin), 403, 'INSUFFICIENT_ROLE')
  for (const url of ['javascript:alert(1)', '/plans', 7, null]) {
    await problem(portal(organization, url), 400, 'VALIDATION_ERROR')
  }
  stripe.isAway = true
  await problem(portal(organization), 503, 'UNAVAILABLE')
  stripe.isAway = false
  stripe.deleteCustomer(id)
  await problem(portal(organization), 404, 'NOT_FOUND')
  expect((await deactivate(organization)).status).toBe(200)
  await problem(portal(organization), 403, 'ORGANIZATION_INACTIVE')
})

test('the procedure opens the same checkout page', async () => {
  const { accessToken } = await registerTestOrganization(server)
  const client = createTRPCClient<PortalRpc>({
    links: [
      httpBatchLink({
        url: `${server.url}/rpc`,
        headers: { Authorization: `Bearer ${accessToken}` },
      }),
    ],
  })
  const { url } = await client.billing.createCheckoutSession.mutate(order)
  expect(url).toBe(stripe.made.get('v1/checkout/sessions')?.at(-1)?.['url'])
})

test('without a key, in development a page that is marked as a test sells the plan', async () => {
  await using development = await startTestServer()
  const organization = await registerTestOrganization(development)
  const successUrl = `${development.url}/healthz`
  const bought = { ...order, interval: 'year', successUrl, cancelUrl: 'http://localhost/"><b>' }
  const opened = await checkout(organization, bought)
  const { url } = CheckoutSession.parse(await opened.json())
  const page = await (await fetch(url)).text()
  expect(page).toContain('no money moves')
  expect(page).toContain('990 US dollars a year')
  expect(page).not.toContain('"><b>')
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })

  const paid = await fetch(url, { method: 'POST' })
  expect([paid.url, paid.status]).toEqual([successUrl, 200])
  const now = new Date()
  const info = await infoOf(organization)
  expect(info).toMatchObject({ planTier: 'starter', billingInterval: 'year' })
  expect(Date.parse(info.currentPeriodEnd ?? '') - now.getTime()).toBeGreaterThan(360 * 86_400_000)
  await problem(checkout(organization), 400, 'SUBSCRIPTION_EXISTS')

  await problem(fetch(`${url}x`), 404, 'NOT_FOUND')
  await problem(fetch(`${url}x`, { method: 'POST' }), 404, 'NOT_FOUND')
})

test('on the test page a plan is changed, cancelled at the end of its period, fails to be paid, and ends', async () => {
  await using development = await startTestServer({ work: true })
  const organization = await registerTestOrganization(development)
  const opened = await checkout(organization, { ...order, successUrl: development.url })
  const { url } = CheckoutSession.parse(await opened.json())
  const press = async (fields: Record<string, string>) => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
    expect(answer.status).toBe(200)
    return answer.text()
  }
  await press({ tier: 'growth', interval: 'month' })
  expect(await infoOf(organization)).toMatchObject({ planTier: 'growth', billingInterval: 'month' })
  expect(await press({ tier: 'pro', interval: 'year' })).toContain('<strong>pro</strong>')
  expect(await infoOf(organization)).toMatchObject({ planTier: 'pro', billingInterval: 'year' })

  const { url: again } = PortalSession.parse(
    await (await portal(organization, development.url)).json(),
  )
  expect(await (await fetch(again)).text()).toContain('Cancel at the end of the period')
  expect(await press({ action: 'fail-payment' })).toContain('past_due')
  expect(await infoOf(organization)).toMatchObject({ subscriptionStatus: 'past_due' })
  await press({ action: 'pay' })
  expect(await infoOf(organization)).toMatchObject({ subscriptionStatus: 'active' })

  await press({ action: 'cancel' })
  expect(await infoOf(organization)).toMatchObject({ planTier: 'pro', cancelAtPeriodEnd: true })
  await press({ action: 'resume' })
  expect(await infoOf(organization)).toMatchObject({ planTier: 'pro', cancelAtPeriodEnd: false })
  expect(await press({ action: 'end' })).toContain('Pay (test)')
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })

  await press({ tier: 'growth', interval: 'month' })
  await deactivate(organization)
  await expect.poll(() => infoOf(organization)).toMatchObject({ planTier: 'free' })

  await press({ tier: 'starter', interval: 'month' })
  await press({ action: 'cancel' })
  development.clock.advance(32 * 86_400_000)
  expect(await (await fetch(url)).text()).toContain('Pay (test)')
  const unknown = new URLSearchParams({ action: 'give-away' })
  await problem(fetch(url, { method: 'POST', body: unknown }), 400, 'VALIDATION_ERROR')
})

test('without a key nothing is sold in production, and a page leads back by https', async () => {
  const organization = await registerTestOrganization(server)
  const production = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://unused/unused',
    SMTP_URL: 'smtp://127.0.0.1:1',
    SECRETS_KEY: 'ab'.repeat(32),
    BASE_URL: 'https://pdfnorm.example',
    RATE_LIMITS: 'on',
  }
  const config = readConfig(production)
  const { clock, secretsKey } = server.platform
  expect(openPaymentProcessor(config, clock, secretsKey)).toBeNull()

  const caller = {
    kind: 'member',
    memberId: organization.owner.id,
    sessionId: organization.id,
    role: 'owner',
    organization: {
      id: organization.id,
      schemaName: '',
      planTier: 'free',
      isActive: true,
      createdAt: new Date(),
      quotaCountsFrom: null,
      defaultRegion: null,
      allowedRegions: [],
    },
  } as const
  const refused = await startCheckout({ ...server.platform, payments: null }, caller, order)
  expect(refused).toMatchObject({ code: 'UNAVAILABLE' })
  const plain = { ...order, cancelUrl: 'http://example.com' }
  expect(await startCheckout({ ...server.platform, config }, caller, plain)).toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ location: 'body.cancelUrl' }],
  })
  const leave = { returnUrl: plain.cancelUrl }
  expect(await openPortal({ ...server.platform, config }, caller, leave)).toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ location: 'body.returnUrl' }],
  })
  expect(await openPortal({ ...server.platform, payments: null }, caller, leave)).toMatchObject({
    code: 'UNAVAILABLE',
  })
})
