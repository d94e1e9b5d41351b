import { Page } from '../page/page.tsx'

export function OverviewPage() {
  return <Page title="Overview" />
}
