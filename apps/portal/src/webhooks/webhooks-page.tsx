import { Page } from '../page/page.tsx'

export function WebhooksPage() {
  return <Page title="Webhooks" />
}
