import { Text } from '@mantine/core'
import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../session/call-api.ts'
import { mailedToken } from './mailed-token.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { VisitorPage } from './visitor-page.tsx'

export function AcceptInvitePage() {
  const [token] = useState(mailedToken)
  const navigate = useNavigate()
  const accepting = useMutation({
    mutationFn: (password: string) => callApi(auth.acceptInvite, { token, password }),
    onSuccess: () =>
      navigate({ to: '/sign-in', search: { reason: 'invitation-accepted' }, replace: true }),
  })

  return (
    <VisitorPage
      title="Join the organization"
      lead={
        token === ''
          ? 'The link in the mail leads here with the invitation. There is none in this address.'
          : 'The mail says which one. Choose a password, then sign in with the address that was invited.'
      }
    >
      {token !== '' && (
        <NewPasswordForm setting={accepting} field="password" action="Accept the invitation" />
      )}
      <Text size="sm" c="dimmed">
        The mail says how long the invitation works; after that an admin can send another one.
      </Text>
    </VisitorPage>
  )
}
