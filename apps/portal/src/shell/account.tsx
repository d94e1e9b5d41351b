import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconBook, IconLogout } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { announce } from '../page/announce.ts'
import { problemOf } from '../problem/problem-of.ts'
import { signOut } from '../session/session.ts'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import { organizationQuery, useOwnMember } from './queries.ts'

/** Whose organization this is, who is signed in and as what; the way out. */
export function Account() {
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const member = useOwnMember()
  return (
    <Stack gap="xs" component="section" aria-label="Account">
      <div>
        <Text size="sm" fw={600} lineClamp={2} dir="auto" title={organization.name}>
          {organization.name}
        </Text>
        <Text size="xs" c="dimmed" truncate title={member?.email ?? ''}>
          {member?.email}
        </Text>
        <Text size="xs" c="dimmed">
          {member?.role}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          size="sm"
          fullWidth
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void leave()}
        >
          Sign out
        </Button>
        <ActionIcon
          variant="default"
          size="lg"
          component="a"
          href="/docs"
          target="_blank"
          aria-label="Documentation (in a new tab)"
          title="Documentation"
        >
          <IconBook size={18} aria-hidden />
        </ActionIcon>
        <ColorSchemeSwitch />
      </Group>
    </Stack>
  )
}

async function leave(): Promise<void> {
  await signOut().catch((error: unknown) =>
    announce(`You are still signed in. ${problemOf(error).message}`),
  )
}
