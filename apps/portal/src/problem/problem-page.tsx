import { Button, Group, Stack, Title } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { usePageTitle } from '../page/use-page-title.ts'
import { queryClient } from '../session/query-client.ts'
import { ProblemAlert } from './problem-alert.tsx'

/** Stands where a page would that could not be shown. */
export function ProblemPage({ error }: { error: unknown }) {
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
