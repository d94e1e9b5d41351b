import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'

/** A secret in the moment in which it can be read. @param what it is, as “the API key” */
export function SecretOnce({ secret, what }: { secret: string; what: string }) {
  const alert = useRef<HTMLDivElement>(null)
  // It takes the place of what asked for it: the keyboard and whoever listens go on here.
  useEffect(() => alert.current?.focus(), [])
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      style={{ outline: 'none' }}
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title="Copy it now"
    >
      <Stack gap="xs">
        <Text size="sm">This is the only time that {what} is shown. Keep it like a password.</Text>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Code block style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {secret}
          </Code>
          <CopyButton text={secret} what={what} />
        </Group>
      </Stack>
    </Alert>
  )
}
