import { Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One of a list: its name and what is known, and what can be done with it, below each other where there is no room. */
export function ListRow({
  name,
  badges,
  facts,
  actions,
}: {
  name: string
  badges?: ReactNode
  facts: ReactNode
  actions?: ReactNode
}) {
  return (
    <Group
      component="li"
      justify="space-between"
      gap="xs"
      py="sm"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <Box style={{ flex: '1 1 320px', minWidth: 0 }}>
        <Group gap="xs">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Text>
          {badges}
        </Group>
        <Text component="div" size="sm" c="dimmed" mt={2}>
          {facts}
        </Text>
      </Box>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
