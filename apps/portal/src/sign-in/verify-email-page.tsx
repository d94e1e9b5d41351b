import { Alert, Group, Loader } from '@mantine/core'
import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
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
  // A query and no mutation: the link works once, and a page may be drawn more often.
  const verification = useQuery({
    queryKey: ['verify-email', token],
    queryFn: async () => {
      const answer = await callApi(auth.verifyEmail, { token })
      await queryClient.invalidateQueries(teamQuery)
      return answer
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

  return (
    <VisitorPage title="Verify your address">
      {verification.isPending && <Loader role="status" aria-label="Verifying" />}
      {verification.isSuccess && (
        <Alert color="green" role="status" icon={<IconCheck aria-hidden />}>
          The address is verified.
        </Alert>
      )}
      <ProblemAlert error={verification.error} />
      <Group>
        {verification.isSuccess && <ButtonLink to="/">Go on</ButtonLink>}
        {verification.isError && (
          <ButtonLink to="/resend-verification">Send another mail</ButtonLink>
        )}
      </Group>
    </VisitorPage>
  )
}
