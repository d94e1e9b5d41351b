import { Group, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/**
 * A part of a page in a frame of its own. It takes the focus of what is removed from it (use-return-of-focus.ts).
 *
 * @param aside stands across from the title
 */
export function Section({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <Paper
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      h="100%"
      component="section"
      aria-labelledby={id}
      tabIndex={-1}
      style={{ outline: 'none' }}
    >
      <Stack>
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {aside}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
