import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyButton } from './copy-button.tsx'

/** A secret in the moment in which it can be read. @param what it is, as “the API key” */
export function SecretOnce({ secret, what }: { secret: string; what: string }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Copy it now">
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
