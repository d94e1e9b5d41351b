import type { Express, Request, Response } from 'express'
import { testCheckoutPath } from '../billing/test-processor.ts'
import { receivePaymentEvent } from '../billing/receive-payment-event.ts'
import { plans, monthsPaidPerYear } from '@pdfnorm/contracts/schema/plan'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Platform } from '../platform.ts'
import { escape, page, pagePolicy } from './reference-page.ts'
import { sendRefusal } from './problem-response.ts'

/** The checkout page where no money moves; there is none where Stripe takes it. */
export function mountTestCheckout(app: Express, platform: Platform): void {
  const test = platform.payments?.test
  if (!test) return

  const orderOf = (req: Request, res: Response) => {
    const { session } = req.query
    const order = typeof session === 'string' ? test.readOrder(session) : null
    if (order !== null) return order
    const refusal = new Refusal('NOT_FOUND', 'There is no such checkout session.')
    sendRefusal(platform.config, { req, res }, refusal)
    return null
  }

  app.get(testCheckoutPath, (req, res) => {
    const order = orderOf(req, res)
    if (order === null) return
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    res.setHeader('Content-Security-Policy', pagePolicy)
    const months = order.interval === 'year' ? monthsPaidPerYear : 1
    const price = plans[order.tier].pricePerMonthUsd * months
    res.send(
      page(
        'Test checkout: no money moves',
        `<p>This stands in for the checkout page of Stripe because <code>STRIPE_SECRET_KEY</code> is not set.</p>
<p>Plan <strong>${order.tier}</strong>, ${price} US dollars a ${order.interval}.</p>
<form method="post"><button>Pay (test)</button></form>
<p><a href="${escape(order.cancelUrl)}">Cancel</a></p>`,
      ),
    )
  })

  app.post(testCheckoutPath, async (req, res) => {
    const order = orderOf(req, res)
    if (order === null) return
    const { payload, signature } = await test.pay(order)
    const received = await receivePaymentEvent(platform, payload, signature)
    if (received instanceof Refusal) return sendRefusal(platform.config, { req, res }, received)
    res.redirect(303, order.successUrl)
  })
}
