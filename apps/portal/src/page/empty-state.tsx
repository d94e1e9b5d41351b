import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** What a page shows before there is anything: what will be here, and the first thing to do. */
export function EmptyState({
  Icon,
  title,
  text,
  children,
}: {
  Icon: TablerIcon
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <Paper withBorder p={{ base: 'lg', sm: 'xl' }}>
      <Stack align="center" gap="md" maw={620} mx="auto" ta="center">
        <ThemeIcon variant="light" size={52} radius="xl" aria-hidden>
          <Icon size={26} stroke={1.6} />
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed">{text}</Text>
        {children}
      </Stack>
    </Paper>
  )
}
