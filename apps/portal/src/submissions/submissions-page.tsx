import { Page } from '../page/page.tsx'

export function SubmissionsPage() {
  return <Page title="Submissions" />
}
