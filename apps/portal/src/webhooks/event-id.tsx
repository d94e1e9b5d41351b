import { Code, Group, Text } from '@mantine/core'
import { CopyButton } from '../page/copy-button.tsx'

/** The id of an event as its receiver knows it. */
export function EventId({ id }: { id: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Code>webhook-id</Code> {id}
      </Text>
      <CopyButton text={id} what="the id of the event" />
    </Group>
  )
}
