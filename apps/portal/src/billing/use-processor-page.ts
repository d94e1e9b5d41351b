import type { CreateCheckoutSessionRequest } from '@pdfnorm/contracts/schema/billing'
import { useMutation } from '@tanstack/react-query'
import { rpc } from '../session/rpc.ts'
import { managementOf } from './processor-page.ts'

/** Leads to where a plan is paid, or to where the subscription that there is becomes another one. */
export function useChoiceOfPlan(isSubscribed: boolean) {
  return useMutation({
    mutationFn: (order: CreateCheckoutSessionRequest) =>
      isSubscribed
        ? rpc.billing.createPortalSession.mutate(managementOf())
        : rpc.billing.createCheckoutSession.mutate(order),
    onSuccess: leave,
  })
}

/** Leads to the page of the processor where a subscription is changed or cancelled, and its invoices are. */
export function useManagement() {
  return useMutation({
    mutationFn: () => rpc.billing.createPortalSession.mutate(managementOf()),
    onSuccess: leave,
  })
}

function leave({ url }: { url: string }): void {
  location.assign(url)
}
