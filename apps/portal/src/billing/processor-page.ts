import type { BillingInterval } from '@pdfnorm/contracts/schema/billing'
import type { PaidPlanTier } from '@pdfnorm/contracts/schema/plan'
import { z } from 'zod'

/** What somebody comes back from: a checkout that was paid, one that was left, the page of the subscription. */
export const Returned = z.enum(['paid', 'unpaid', 'managed'])
export type Returned = z.infer<typeof Returned>

/** The body of the request for the checkout page of a plan. */
export function checkoutOf(tier: PaidPlanTier, interval: BillingInterval) {
  return { tier, interval, successUrl: wayBack('paid'), cancelUrl: wayBack('unpaid') }
}

/** The body of the request for the page of the subscription. */
export function managementOf() {
  return { returnUrl: wayBack('managed') }
}

function wayBack(returned: Returned): string {
  return new URL(`/billing?returned=${returned}`, location.origin).href
}
