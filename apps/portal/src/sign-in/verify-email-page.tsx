import { Alert, Group, Loader, Text } from '@mantine/core'
import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ButtonLink } from '../page/button-link.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { callApi } from '../session/call-api.ts'
import { queryClient } from '../session/query-client.ts'
import { teamQuery } from '../shell/queries.ts'
import { mailedToken } from './mailed-token.ts'
import { VisitorPage } from './visitor-page.tsx'

export function VerifyEmailPage() {
  const [token] = useState(mailedToken)
  const navigate = useNavigate()
  // A query and no mutation: the link works once, and a page may be drawn more often.
  const verification = useQuery({
    queryKey: ['verify-email', token],
    queryFn: async () => {
      const answer = await callApi(auth.verifyEmail, { token })
      // What is used up is not kept in the history, nor sent again when the page is loaded again.
      await navigate({ to: '/verify-email', hash: '', replace: true })
      await queryClient.invalidateQueries(teamQuery)
      return answer
    },
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

  return (
    <VisitorPage title="Verify your address">
      {verification.isLoading && <Loader role="status" aria-label="Verifying" />}
      {verification.isSuccess && (
        <Alert color="green" role="status" icon={<IconCheck aria-hidden />}>
          The address is verified.
        </Alert>
      )}
      {token === '' && (
        <Text>
          The link in the mail verifies the address, and works once. There is none in this address.
        </Text>
      )}
      <ProblemAlert error={verification.error} />
      <Group>
        {verification.isSuccess && <ButtonLink to="/">Go on</ButtonLink>}
        {(verification.isError || token === '') && (
          <ButtonLink to="/resend-verification">Send another mail</ButtonLink>
        )}
      </Group>
    </VisitorPage>
  )
}
