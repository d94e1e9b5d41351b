import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { MailRequestPage } from './mail-request-page.tsx'

export function ResendVerificationPage() {
  return (
    <MailRequestPage
      title="Verify your address"
      lead="Did the mail get lost? Another one is sent at once."
      endpoint={auth.resendVerification}
      sent="If the address waits for its verification, a mail with a link is on its way."
    />
  )
}
