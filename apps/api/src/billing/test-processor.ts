import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
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

const TestPurchase = z.object({
  id: z.string(),
  tier: PaidPlanTier,
  interval: BillingInterval,
  boughtAt: z.coerce.date(),
})

/** The other side of the page with the button. */
export interface TestProcessor {
  /** null: the page was not made here. */
  readOrder(session: string): TestOrder | null
  /** Buys without money; what comes back is the event that tells of it, signed as Stripe signs. */
  pay(order: TestOrder): Promise<{ payload: string; signature: string }>
}

/** Stands in for Stripe in development: nobody pays, and what was bought lies in the data directory. */
export function openTestProcessor(
  { baseUrl, dataDirectory }: Pick<Config, 'baseUrl' | 'dataDirectory'>,
  clock: Clock,
  secretsKey: SecretsKey,
): PaymentProcessor {
  const webhookSecret = `whsec_${secretsKey.derive('test payment events', 32).toString('hex')}`
  const sessionKey = secretsKey.derive('test checkout sessions', 32)
  const directory = join(dataDirectory, 'test-payments')
  const pathOf = (customerId: string) => join(directory, `${encodeURIComponent(customerId)}.json`)

  async function subscriptionsOf(customerId: string): Promise<ProcessorSubscription[]> {
    const text = await readFile(pathOf(customerId), 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return []
    const { id, tier, interval, boughtAt } = TestPurchase.parse(JSON.parse(text))
    return [
      {
        id,
        status: 'active',
        tier,
        interval,
        countsFrom: boughtAt,
        currentPeriodEndsAt: periodEnd(boughtAt, interval, clock.now()),
        cancelsAtPeriodEnd: false,
      },
    ]
  }

  return {
    webhookSecret,
    createCustomer: (organizationId) => Promise.resolve(`cus_test_${organizationId}`),

    openCheckout: (customerId, order) => {
      const content = Buffer.from(JSON.stringify({ ...order, customerId })).toString('base64url')
      const session = `${content}.${macOf(sessionKey, content)}`
      return Promise.resolve(`${baseUrl}${testCheckoutPath}?session=${session}`)
    },

    subscriptionsOf,
    chargeOverage: () => Promise.resolve(),

    test: {
      readOrder(session) {
        const [content = '', mac = ''] = session.split('.')
        const expected = Buffer.from(macOf(sessionKey, content))
        const given = Buffer.from(mac)
        if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
        return TestOrder.parse(JSON.parse(Buffer.from(content, 'base64url').toString()))
      },

      async pay({ customerId, tier, interval }) {
        if ((await subscriptionsOf(customerId)).length === 0) {
          const purchase = { id: `sub_test_${randomUUID()}`, tier, interval, boughtAt: clock.now() }
          await mkdir(directory, { recursive: true })
          const draft = `${pathOf(customerId)}.${purchase.id}`
          await writeFile(draft, JSON.stringify(purchase))
          await rename(draft, pathOf(customerId))
        }
        const payload = JSON.stringify({
          id: `evt_test_${randomUUID()}`,
          object: 'event',
          type: 'checkout.session.completed',
          livemode: false,
          data: { object: { object: 'checkout.session', customer: customerId } },
        })
        const signature = Stripe.webhooks.generateTestHeaderString({
          payload,
          secret: webhookSecret,
        })
        return { payload, signature }
      },
    },
  }
}

function macOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url')
}

function periodEnd(boughtAt: Date, interval: BillingInterval, now: Date): Date {
  let { endsAt } = quotaCycle(boughtAt, now)
  if (interval === 'month') return endsAt
  // The month of the year in which it was bought is the last one of its period.
  while (endsAt.getUTCMonth() !== boughtAt.getUTCMonth()) {
    endsAt = quotaCycle(boughtAt, endsAt).endsAt
  }
  return endsAt
}
