import { Page } from '../page/page.tsx'

export function BatchesPage() {
  return <Page title="Batches" />
}
