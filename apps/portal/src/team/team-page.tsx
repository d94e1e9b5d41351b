import { Page } from '../page/page.tsx'

export function TeamPage() {
  return <Page title="Team" />
}
