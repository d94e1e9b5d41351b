import { Page } from '../page/page.tsx'

export function DataProtectionPage() {
  return <Page title="Data protection" />
}
