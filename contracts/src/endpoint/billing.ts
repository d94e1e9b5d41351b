import {
  BillingInfo,
  CheckoutSession,
  CreateCheckoutSessionRequest,
  CreatePortalSessionRequest,
  PaymentEventReceipt,
  PortalSession,
} from '../schema/billing.ts'
import { leastRole } from '../schema/member.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import {
  bodyRefusals,
  changeRefusals,
  memberRefusals,
  processorRefusals,
} from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.8; decision 6.4. */
export const billing = rest.router(
  {
    getBillingInfo: {
      method: 'GET',
      path: '/api/billing/info',
      summary: 'Read plan, usage and subscription',
      description: 'Usage is counted per billing cycle.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readBilling,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      responses: { 200: BillingInfo, ...refusals(...memberRefusals) },
    },

    createCheckoutSession: {
      method: 'POST',
      path: '/api/billing/checkout-session',
      summary: 'Buy a plan',
      description:
        "Opens the payment processor's checkout page. The plan changes when the processor reports the payment.",
      metadata: {
        auth: 'bearer',
        role: leastRole.buyPlan,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      body: CreateCheckoutSessionRequest,
      responses: {
        200: CheckoutSession,
        ...refusals(...changeRefusals, ...bodyRefusals, 'SUBSCRIPTION_EXISTS'),
      },
    },

    createPortalSession: {
      method: 'POST',
      path: '/api/billing/portal-session',
      summary: 'Change or cancel the subscription',
      description:
        "Opens the payment processor's page where the plan is changed, cancelled at the end of its period, and paid by " +
        'other means. The plan changes when the processor reports it.',
      metadata: {
        auth: 'bearer',
        role: leastRole.buyPlan,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      body: CreatePortalSessionRequest,
      responses: {
        200: PortalSession,
        ...refusals(...changeRefusals, ...bodyRefusals, 'NOT_FOUND'),
      },
    },

    receivePaymentEvent: {
      method: 'POST',
      path: '/api/billing/webhook',
      summary: 'Receive an event of the payment processor',
      description:
        'For Stripe only, and the only thing that changes a plan. The body is signed as it was sent.',
      metadata: {
        auth: 'stripe-signature',
        rateLimit: null,
        rawBody: true,
      } as const satisfies EndpointMetadata,
      body: rest.type<unknown>(),
      responses: {
        200: PaymentEventReceipt,
        ...refusals(...processorRefusals, ...bodyRefusals),
      },
    },
  },
  strict,
)
