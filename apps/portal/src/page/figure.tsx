import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One number with its name. */
export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
    </Paper>
  )
}
