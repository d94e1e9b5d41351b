import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BillingInterval, CreateCheckoutSessionRequest } from '@pdfnorm/contracts/schema/billing'
import { PaidPlanTier } from '@pdfnorm/contracts/schema/plan'
import { Stripe } from 'stripe'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { quotaCycle } from '../plan/quota.ts'
import type { SecretsKey } from '../secrets-key.ts'
import type { PaymentProcessor, ProcessorSubscription } from './payment-processor.ts'

export const testCheckoutPath = '/api/billing/test-checkout'

/** What a checkout page of the test processor sells; signed, so that nobody else makes such a page. */
const TestOrder = CreateCheckoutSessionRequest.extend({ customerId: z.string() })
type TestOrder = z.infer<typeof TestOrder>

/** What can be done on the page: what the checkout, the customer and the bank do where money moves. */
export const TestAction = z.discriminatedUnion('action', [
  z.object({ action: z.literal('subscribe'), tier: PaidPlanTier, interval: BillingInterval }),
  z.object({ action: z.enum(['cancel', 'resume', 'fail-payment', 'pay', 'end']) }),
])
export type TestAction = z.infer<typeof TestAction>

const TestPurchase = z.object({
  id: z.string(),
  tier: PaidPlanTier,
  interval: BillingInterval,
  boughtAt: z.coerce.date(),
  status: z.enum(['active', 'past_due']),
  /** null: it goes on. */
  endsAt: z.coerce.date().nullable(),
})
type TestPurchase = z.infer<typeof TestPurchase>

/** The other side of the page with the buttons. */
export interface TestProcessor {
  /** null: the page was not made here. */
  readOrder(session: string): TestOrder | null
  /** Does it without money. */
  act(customerId: string, action: TestAction): Promise<void>
  /** The event that tells of what happened, signed as Stripe signs: nobody else sends it. */
  eventOf(customerId: string): { payload: string; signature: string }
}

/** Stands in for Stripe in development: nobody pays, and what was bought lies in the data directory. */
export function openTestProcessor(
  { baseUrl, dataDirectory }: Pick<Config, 'baseUrl' | 'dataDirectory'>,
  clock: Clock,
  secretsKey: SecretsKey,
): PaymentProcessor {
  const webhookSecret = `whsec_${secretsKey.derive('test payment events', 32).toString('hex')}`
  const sessionKey = secretsKey.derive('test checkout sessions', 32)
  const pageOf = (order: TestOrder) => {
    const content = Buffer.from(JSON.stringify(order)).toString('base64url')
    const session = `${content}.${macOf(sessionKey, content)}`
    return `${baseUrl}${testCheckoutPath}?session=${session}`
  }
  const purchases = openPurchases(join(dataDirectory, 'test-payments'), clock)

  return {
    webhookSecret,
    createCustomer: (organizationId) => Promise.resolve(`cus_test_${organizationId}`),
    hasCustomer: () => Promise.resolve(true),

    openCheckout: (customerId, order) => Promise.resolve(pageOf({ ...order, customerId })),

    openPortal: (customerId, returnUrl) =>
      Promise.resolve(
        pageOf({
          customerId,
          tier: 'starter',
          interval: 'month',
          successUrl: returnUrl,
          cancelUrl: returnUrl,
        }),
      ),

    // On a second page nothing is bought twice: it changes what there is.
    closeCheckouts: () => Promise.resolve(),

    async subscriptionsOf(customerId) {
      const purchase = await purchases.read(customerId)
      return purchase === null ? [] : [processorSubscription(purchase, clock.now())]
    },

    cancelSubscriptions: (customerId) => purchases.write(customerId, null),
    chargeOverage: () => Promise.resolve(),

    test: {
      readOrder(session) {
        const [content = '', mac = ''] = session.split('.')
        const expected = Buffer.from(macOf(sessionKey, content))
        const given = Buffer.from(mac)
        if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
        return TestOrder.parse(JSON.parse(Buffer.from(content, 'base64url').toString()))
      },

      async act(customerId, action) {
        const before = await purchases.read(customerId)
        await purchases.write(customerId, purchaseAfter(before, action, clock.now()))
      },

      eventOf: (customerId) => signedEvent(customerId, webhookSecret),
    },
  }
}

/** One file for each customer that has bought something. */
function openPurchases(directory: string, clock: Clock) {
  const pathOf = (customerId: string) => join(directory, `${encodeURIComponent(customerId)}.json`)

  return {
    async read(customerId: string): Promise<TestPurchase | null> {
      const text = await readFile(pathOf(customerId), 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      })
      if (text === null) return null
      const purchase = TestPurchase.parse(JSON.parse(text))
      return purchase.endsAt !== null && purchase.endsAt <= clock.now() ? null : purchase
    },

    async write(customerId: string, purchase: TestPurchase | null): Promise<void> {
      if (purchase === null) return rm(pathOf(customerId), { force: true })
      await mkdir(directory, { recursive: true })
      const draft = `${pathOf(customerId)}.${randomUUID()}`
      await writeFile(draft, JSON.stringify(purchase))
      await rename(draft, pathOf(customerId))
    },
  }
}

function purchaseAfter(
  before: TestPurchase | null,
  action: TestAction,
  now: Date,
): TestPurchase | null {
  if (action.action === 'subscribe') {
    const { tier, interval } = action
    const first = { id: `sub_test_${randomUUID()}`, boughtAt: now, status: 'active', endsAt: null }
    return TestPurchase.parse({ ...(before ?? first), tier, interval })
  }
  if (before === null) return null
  switch (action.action) {
    case 'cancel':
      return { ...before, endsAt: periodEnd(before, now) }
    case 'resume':
      return { ...before, endsAt: null }
    case 'fail-payment':
      return { ...before, status: 'past_due' }
    case 'pay':
      return { ...before, status: 'active' }
    case 'end':
      return null
    default:
      return action satisfies never
  }
}

function processorSubscription(purchase: TestPurchase, now: Date): ProcessorSubscription {
  const { id, status, tier, interval, boughtAt, endsAt } = purchase
  return {
    id,
    status,
    tier,
    interval,
    countsFrom: boughtAt,
    currentPeriodEndsAt: periodEnd(purchase, now),
    cancelsAtPeriodEnd: endsAt !== null,
  }
}

function signedEvent(customerId: string, secret: string) {
  const payload = JSON.stringify({
    id: `evt_test_${randomUUID()}`,
    object: 'event',
    type: 'customer.subscription.updated',
    livemode: false,
    data: { object: { object: 'subscription', customer: customerId } },
  })
  return { payload, signature: Stripe.webhooks.generateTestHeaderString({ payload, secret }) }
}

function macOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url')
}

function periodEnd(
  { boughtAt, interval }: Pick<TestPurchase, 'boughtAt' | 'interval'>,
  now: Date,
): Date {
  let { endsAt } = quotaCycle(boughtAt, now)
  if (interval === 'month') return endsAt
  // The month of the year in which it was bought is the last one of its period.
  while (endsAt.getUTCMonth() !== boughtAt.getUTCMonth()) {
    endsAt = quotaCycle(boughtAt, endsAt).endsAt
  }
  return endsAt
}
