import { billing } from '@pdfnorm/contracts/endpoint/billing'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { billingInfo } from '../../billing/billing-info.ts'
import { openPortal } from '../../billing/open-portal.ts'
import { receivePaymentEvent } from '../../billing/receive-payment-event.ts'
import { startCheckout } from '../../billing/start-checkout.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { memberCallerOf } from '../request-context.ts'

export const billingRoutes = routes(billing, (platform) => ({
  getBillingInfo: async ({ req }) => ({
    status: 200,
    body: await billingInfo(platform, memberCallerOf(req)),
  }),

  createCheckoutSession: async ({ body, req, res }) => {
    const session = await startCheckout(platform, memberCallerOf(req), body)
    if (session instanceof Refusal) return refuse(platform.config, { req, res }, session)
    return { status: 200, body: session }
  },

  createPortalSession: async ({ body, req, res }) => {
    const session = await openPortal(platform, memberCallerOf(req), body)
    if (session instanceof Refusal) return refuse(platform.config, { req, res }, session)
    return { status: 200, body: session }
  },

  receivePaymentEvent: async ({ body, req, res }) => {
    const payload = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const signature = req.get('stripe-signature')
    const receipt = await receivePaymentEvent(platform, payload, signature)
    if (receipt instanceof Refusal) return refuse(platform.config, { req, res }, receipt)
    return { status: 200, body: receipt }
  },
}))
