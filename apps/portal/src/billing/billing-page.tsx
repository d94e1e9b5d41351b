import { Page } from '../page/page.tsx'

export function BillingPage() {
  return <Page title="Billing" />
}
