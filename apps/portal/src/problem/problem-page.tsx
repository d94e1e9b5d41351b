import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { ButtonLink } from '../page/button-link.tsx'
import { MissingPage } from '../page/missing-page.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
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
  usePageTitle('Not for your role')
  return (
    <Stack gap="lg" maw={640} p="md">
      <Title order={1} size="h2" tabIndex={-1}>
        This page is not for your role
      </Title>
      <Text c="dimmed">{why} The team page says who has it.</Text>
      <Group>
        <ButtonLink to="/team">To the team</ButtonLink>
      </Group>
    </Stack>
  )
}

function FailedPage({ error }: { error: unknown }) {
  usePageTitle('That did not work')
  const router = useRouter()
  const again = () => {
    void queryClient.resetQueries()
    void router.invalidate()
  }
  return (
    <Stack gap="lg" maw={640} p="md">
      <Title order={1} size="h2" tabIndex={-1}>
        This page could not be shown
      </Title>
      <ProblemAlert error={error} />
      <Group>
        <Button onClick={again}>Try again</Button>
      </Group>
    </Stack>
  )
}
