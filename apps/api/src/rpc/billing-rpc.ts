import { billing } from '@pdfnorm/contracts/endpoint/billing'
import { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { billingInfo } from '../billing/billing-info.ts'
import { router, twinOf } from './rpc.ts'

/** The twin of the contract's group `billing`. */
export const billingRpc = router({
  info: twinOf(billing.getBillingInfo)
    .output(BillingInfo)
    .query(({ ctx }) => billingInfo(ctx.platform, ctx.caller)),
})
