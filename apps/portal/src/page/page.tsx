import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from './use-page-title.ts'

/** A page: the way back, its title, what it is for, what can be done with all of it, and its content. */
export function Page({
  back,
  title,
  lead,
  actions,
  children,
}: {
  back?: ReactNode
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}) {
  usePageTitle(title)
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} style={{ flex: '1 1 320px', minWidth: 0 }}>
          {back}
          <Title order={1} size="h2" tabIndex={-1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" maw={680}>
              {lead}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
