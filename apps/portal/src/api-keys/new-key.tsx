import { Button, Group, Stack, Text } from '@mantine/core'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import { submissions } from '@pdfnorm/contracts/endpoint/submissions'
import type { CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { SecretOnce } from '../page/secret-once.tsx'

/** The one moment of a key's secret. @param note what else somebody has to know about it */
export function NewKey({
  created: { name, fullKey, scopes },
  note,
  onDone,
}: {
  created: CreatedApiKey
  note?: string
  onDone: () => void
}) {
  const call = scopes.includes('normalize')
    ? { endpoint: normalize.normalizePdf, label: 'Normalize a document' }
    : { endpoint: submissions.getSubmission, label: 'Read a submission' }
  return (
    <Stack>
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{name}</bdi> works from now on. {note}
      </Text>
      <SecretOnce secret={fullKey} what="the key" />
      <Text size="sm">
        Put it into the environment of the program as <code>PDFNORM_API_KEY</code>:
      </Text>
      <CallSnippet call={{ endpoint: call.endpoint }} label={call.label} initiallyOpen />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  )
}
