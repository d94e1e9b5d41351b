import { CheckoutSession, PortalSession } from '@pdfnorm/contracts/schema/billing'
import { expect, test } from 'vitest'
import { openPortal } from '../src/billing/open-portal.ts'
import { openPaymentProcessor } from '../src/billing/open-payment-processor.ts'
import { startCheckout } from '../src/billing/start-checkout.ts'
import { readConfig } from '../src/config.ts'
import { registerTestOrganization } from './organization.ts'
import { order, infoOf, checkout, deactivate, portal, usePayments } from './paying.ts'
import { startTestServer } from './server.ts'
import { problem } from './submitter.ts'

const payments = usePayments()

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
  const organization = await registerTestOrganization(payments.server)
  const production = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://unused/unused',
    SMTP_URL: 'smtp://127.0.0.1:1',
    SECRETS_KEY: 'ab'.repeat(32),
    BASE_URL: 'https://pdfnorm.example',
    RATE_LIMITS: 'on',
  }
  const config = readConfig(production)
  const { clock, secretsKey } = payments.server.platform
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
  const refused = await startCheckout(
    { ...payments.server.platform, payments: null },
    caller,
    order,
  )
  expect(refused).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 3600 })
  const plain = { ...order, cancelUrl: 'http://example.com' }
  expect(await startCheckout({ ...payments.server.platform, config }, caller, plain)).toMatchObject(
    {
      code: 'VALIDATION_ERROR',
      errors: [{ location: 'body.cancelUrl' }],
    },
  )
  const leave = { returnUrl: plain.cancelUrl }
  expect(await openPortal({ ...payments.server.platform, config }, caller, leave)).toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ location: 'body.returnUrl' }],
  })
  expect(
    await openPortal({ ...payments.server.platform, payments: null }, caller, leave),
  ).toMatchObject({
    code: 'UNAVAILABLE',
  })
})
