import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One number with its name, and what else there is to know of it. */
export function Figure({
  name,
  note,
  children,
}: {
  name: string
  note: ReactNode
  children: ReactNode
}) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Paper>
  )
}
