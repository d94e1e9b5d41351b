import { Box, Button, Group } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { ButtonLink } from '../page/button-link.tsx'
import { MissingPage } from '../page/missing-page.tsx'
import { Page } from '../page/page.tsx'
import { queryClient } from '../session/query-client.ts'
import { ProblemAlert } from './problem-alert.tsx'
import { problemOf } from './problem-of.ts'

/** Stands where a page would that could not be shown. */
export function ProblemPage({ error }: { error: unknown }) {
  const { code, message } = problemOf(error)
  if (code === 'NOT_FOUND') return <MissingPage />
  if (code === 'INSUFFICIENT_ROLE') return <ForbiddenPage why={message} />
  return <FailedPage error={error} />
}

function ForbiddenPage({ why }: { why: string }) {
  return (
    <Page title="This page is not for your role" lead={`${why} The team page says who has it.`}>
      <Group>
        <ButtonLink to="/team">To the team</ButtonLink>
      </Group>
    </Page>
  )
}

function FailedPage({ error }: { error: unknown }) {
  const router = useRouter()
  const again = () => {
    void queryClient.resetQueries()
    void router.invalidate()
  }
  return (
    <Page title="This page could not be shown">
      <Box maw={680}>
        <ProblemAlert error={error} />
      </Box>
      <Group>
        <Button onClick={again}>Try again</Button>
      </Group>
    </Page>
  )
}
