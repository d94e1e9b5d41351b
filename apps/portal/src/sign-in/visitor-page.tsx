import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../page/use-page-title.ts'

/** The content of the card before a sign-in. */
export function VisitorPage({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children?: ReactNode
}) {
  usePageTitle(title)
  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h2" tabIndex={-1}>
          {title}
        </Title>
        {lead && (
          <Text c="dimmed" mt={4}>
            {lead}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  )
}
