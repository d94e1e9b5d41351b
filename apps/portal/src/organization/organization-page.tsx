import { Page } from '../page/page.tsx'

export function OrganizationPage() {
  return <Page title="Settings" />
}
