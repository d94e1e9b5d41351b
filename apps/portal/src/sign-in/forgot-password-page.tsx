import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { MailRequestPage } from './mail-request-page.tsx'

export function ForgotPasswordPage() {
  return (
    <MailRequestPage
      title="Forgot the password?"
      lead="A mail with a link lets you set a new one."
      endpoint={auth.forgotPassword}
      sent="If the address is registered, a mail with a link is on its way. The link works once."
    />
  )
}
