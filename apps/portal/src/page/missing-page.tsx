import { Center, Group, Stack, Text, Title } from '@mantine/core'
import { ButtonLink } from './button-link.tsx'
import { usePageTitle } from './use-page-title.ts'

/** What an address shows that leads nowhere. */
export function MissingPage() {
  usePageTitle('Nothing is here')
  return (
    <Center mih="60dvh" p="md">
      <Stack maw={440} gap="md">
        <Title order={1} size="h2" tabIndex={-1}>
          Nothing is here
        </Title>
        <Text c="dimmed">
          The address leads to no page. It may be mistyped, or what it led to is gone.
        </Text>
        <Group>
          <ButtonLink to="/">To the overview</ButtonLink>
        </Group>
      </Stack>
    </Center>
  )
}
