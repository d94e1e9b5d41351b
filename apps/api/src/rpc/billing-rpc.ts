import { billing } from '@pdfnorm/contracts/endpoint/billing'
import {
  BillingInfo,
  CheckoutSession,
  CreateCheckoutSessionRequest,
  CreatePortalSessionRequest,
  PortalSession,
} from '@pdfnorm/contracts/schema/billing'
import { Charges } from '@pdfnorm/contracts/schema/charges'
import { billingInfo } from '../billing/billing-info.ts'
import { charges } from '../billing/charges.ts'
import { openPortal } from '../billing/open-portal.ts'
import { startCheckout } from '../billing/start-checkout.ts'
import { accepted, router, twinOf } from './rpc.ts'

/** The twin of the contract's group `billing`. */
export const billingRpc = router({
  info: twinOf(billing.getBillingInfo)
    .output(BillingInfo)
    .query(({ ctx }) => billingInfo(ctx.platform, ctx.caller)),

  charges: twinOf(billing.getBillingInfo)
    .output(Charges)
    .query(({ ctx }) => charges(ctx.platform, ctx.caller)),

  createCheckoutSession: twinOf(billing.createCheckoutSession)
    .input(CreateCheckoutSessionRequest)
    .output(CheckoutSession)
    .mutation(async ({ ctx, input }) =>
      accepted(await startCheckout(ctx.platform, ctx.caller, input)),
    ),

  createPortalSession: twinOf(billing.createPortalSession)
    .input(CreatePortalSessionRequest)
    .output(PortalSession)
    .mutation(async ({ ctx, input }) =>
      accepted(await openPortal(ctx.platform, ctx.caller, input)),
    ),
})
