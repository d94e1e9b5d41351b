import { Page } from '../page/page.tsx'

export function ApiKeysPage() {
  return <Page title="API keys" />
}
