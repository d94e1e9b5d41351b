import { Group, Menu, Text, UnstyledButton } from '@mantine/core'
import { IconBook, IconLogout, IconSelector } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { signOut } from '../session/session.ts'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import { organizationQuery, useOwnMember } from './queries.ts'

/** Whose organization this is, who is signed in and as what; the way out. */
export function AccountMenu() {
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const member = useOwnMember()
  return (
    <Group gap="xs" wrap="nowrap">
      <Menu position="top-start" width={240}>
        <Menu.Target>
          <UnstyledButton
            p="xs"
            style={{ flex: 1, minWidth: 0, borderRadius: 'var(--mantine-radius-sm)' }}
          >
            <Group gap="xs" wrap="nowrap" justify="space-between">
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={600} truncate dir="auto">
                  {organization.name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {member?.email}
                </Text>
              </div>
              <IconSelector size={16} aria-hidden style={{ flex: 'none' }} />
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label style={{ overflowWrap: 'anywhere' }}>
            {member?.email}
            <br />
            {member?.role} of {organization.name}
          </Menu.Label>
          <Menu.Item
            component="a"
            href="/docs"
            target="_blank"
            leftSection={<IconBook size={16} aria-hidden />}
          >
            Documentation
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ColorSchemeSwitch />
    </Group>
  )
}
