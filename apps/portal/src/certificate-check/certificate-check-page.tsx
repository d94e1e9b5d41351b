import { Page } from '../page/page.tsx'

export function CertificateCheckPage() {
  return <Page title="Certificate check" />
}
