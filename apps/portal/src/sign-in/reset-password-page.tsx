import { Text } from '@mantine/core'
import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../session/call-api.ts'
import { mailedToken } from './mailed-token.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { PageLink } from '../page/page-link.tsx'
import { VisitorPage } from './visitor-page.tsx'

export function ResetPasswordPage() {
  const [token] = useState(mailedToken)
  const navigate = useNavigate()
  const setting = useMutation({
    mutationFn: (newPassword: string) => callApi(auth.resetPassword, { token, newPassword }),
    onSuccess: () =>
      navigate({ to: '/sign-in', search: { reason: 'password-set' }, replace: true }),
  })

  return (
    <VisitorPage
      title="Set a new password"
      lead={
        token === ''
          ? 'The link in the mail leads here. There is none in this address.'
          : 'Every session of yours ends; sign in again then.'
      }
    >
      {token !== '' && (
        <NewPasswordForm setting={setting} field="newPassword" action="Set the password" />
      )}
      <Text size="sm">
        Does the link not work any more?{' '}
        <PageLink to="/forgot-password" inherit>
          Ask for another one
        </PageLink>
      </Text>
    </VisitorPage>
  )
}
