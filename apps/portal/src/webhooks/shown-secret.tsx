import { Code, Group } from '@mantine/core'
import { CopyButton } from '../page/copy-button.tsx'

/** A secret that admins can read whenever they want. */
export function ShownSecret({ secret }: { secret: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
      <CopyButton text={secret} what="the secret" />
    </Group>
  )
}
