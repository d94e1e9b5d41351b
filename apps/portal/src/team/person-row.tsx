import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One of the team: who it is and what is known, and what can be done, below each other where there is no room. */
export function PersonRow({
  email,
  badges,
  facts,
  actions,
}: {
  email: string
  badges: ReactNode
  facts: ReactNode
  actions: ReactNode
}) {
  return (
    <Group
      component="li"
      justify="space-between"
      gap="xs"
      py="sm"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <div style={{ flex: '1 1 320px', minWidth: 0 }}>
        <Group gap="xs">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          {badges}
        </Group>
        <Text size="sm" c="dimmed">
          {facts}
        </Text>
      </div>
      <Group gap="xs">{actions}</Group>
    </Group>
  )
}
