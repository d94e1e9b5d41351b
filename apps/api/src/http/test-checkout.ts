import { type Express, type Request, type Response, urlencoded } from 'express'
import { BillingInterval } from '@pdfnorm/contracts/schema/billing'
import { monthsPaidPerYear, PaidPlanTier, plans } from '@pdfnorm/contracts/schema/plan'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { PaymentProcessor, ProcessorSubscription } from '../billing/payment-processor.ts'
import { receivePaymentEvent } from '../billing/receive-payment-event.ts'
import { TestAction, testCheckoutPath } from '../billing/test-processor.ts'
import type { Platform } from '../platform.ts'
import { escape, page, pagePolicy } from './reference-page.ts'
import { sendRefusal } from './problem-response.ts'

/** The checkout page where no money moves; there is none where Stripe takes it. */
export function mountTestCheckout(app: Express, platform: Platform): void {
  const { payments, config } = platform
  if (!payments?.test) return
  const { test } = payments

  const orderOf = (req: Request, res: Response) => {
    const { session } = req.query
    const order = typeof session === 'string' ? test.readOrder(session) : null
    if (order !== null) return order
    const refusal = new Refusal('NOT_FOUND', 'There is no such checkout session.')
    sendRefusal(config, { req, res }, refusal)
    return null
  }

  app.get(testCheckoutPath, async (req, res) => {
    const order = orderOf(req, res)
    if (order === null) return
    const [subscription] = await payments.subscriptionsOf(order.customerId)
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    res.setHeader('Content-Security-Policy', pagePolicy)
    res.send(checkoutPage(order, subscription ?? null))
  })

  app.post(testCheckoutPath, urlencoded({ extended: false, limit: '4kb' }), async (req, res) => {
    const order = orderOf(req, res)
    if (order === null) return
    // Without a button it buys what was ordered.
    const action = TestAction.safeParse({ action: 'subscribe', ...order, ...req.body })
    if (!action.success) {
      const refusal = new Refusal('VALIDATION_ERROR', 'The page has no such button.')
      return sendRefusal(config, { req, res }, refusal)
    }
    const [subscription] = await payments.subscriptionsOf(order.customerId)
    await test.act(order.customerId, action.data)
    const { payload, signature } = test.eventOf(order.customerId)
    const received = await receivePaymentEvent(platform, payload, signature)
    if (received instanceof Refusal) return sendRefusal(config, { req, res }, received)
    res.redirect(303, subscription === undefined ? order.successUrl : req.originalUrl)
  })
}

type Order = NonNullable<ReturnType<NonNullable<PaymentProcessor['test']>['readOrder']>>

function checkoutPage(order: Order, subscription: ProcessorSubscription | null): string {
  return page(
    'Test checkout: no money moves',
    `<p>This stands in for the pages of Stripe because <code>STRIPE_SECRET_KEY</code> is not set.</p>
${subscription === null ? buying(order) : changing(subscription)}
<p><a href="${escape(order.cancelUrl)}">Leave</a></p>`,
  )
}

function buying({ tier, interval }: Order): string {
  return `<p>Ordered: <strong>${tier}</strong>, ${priceOf(tier, interval)} US dollars a ${interval}.</p>
${planForm({ tier, interval }, 'Pay (test)')}`
}

function changing(subscription: ProcessorSubscription): string {
  const { tier, interval, status, cancelsAtPeriodEnd, currentPeriodEndsAt } = subscription
  const until = currentPeriodEndsAt.toISOString().slice(0, 10)
  return `<p>Subscribed: <strong>${tier}</strong> by the ${interval}, <code>${status}</code>,
${cancelsAtPeriodEnd ? 'ends' : 'renews'} on ${until}.</p>
${planForm(subscription, 'Change the plan')}
${cancelsAtPeriodEnd ? button('resume', 'Do not cancel') : button('cancel', 'Cancel at the end of the period')}
${status === 'past_due' ? button('pay', 'Let the payment succeed') : button('fail-payment', 'Let a payment fail')}
${button('end', 'End it at once')}`
}

function planForm(chosen: Pick<Order, 'tier' | 'interval'>, words: string): string {
  const tiers = PaidPlanTier.options.map((tier) => option(tier, tier === chosen.tier))
  const intervals = BillingInterval.options.map((one) => option(one, one === chosen.interval))
  return `<form method="post"><input type="hidden" name="action" value="subscribe">
<select name="tier" aria-label="Plan">${tiers.join('')}</select>
<select name="interval" aria-label="Interval">${intervals.join('')}</select>
<button>${words}</button></form>`
}

function option(value: string, isChosen: boolean): string {
  return `<option${isChosen ? ' selected' : ''}>${value}</option>`
}

function button(action: TestAction['action'], words: string): string {
  return `<form method="post"><button name="action" value="${action}">${words}</button></form>`
}

function priceOf(tier: PaidPlanTier, interval: BillingInterval): number {
  return plans[tier].pricePerMonthUsd * (interval === 'year' ? monthsPaidPerYear : 1)
}
