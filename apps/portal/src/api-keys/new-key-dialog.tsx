import { Button, Group, Stack, Text } from '@mantine/core'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import { submissions } from '@pdfnorm/contracts/endpoint/submissions'
import type { CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { Dialog } from '../page/dialog.tsx'
import { SecretOnce } from '../page/secret-once.tsx'

/** The one moment of a key's secret: a slip of the hand beside the dialog does not end it. */
export function NewKeyDialog({
  title,
  created: { name, fullKey, scopes },
  note,
  onClose,
}: {
  title: string
  created: CreatedApiKey
  note?: string
  onClose: () => void
}) {
  const call = scopes.includes('normalize')
    ? { endpoint: normalize.normalizePdf, label: 'Normalize a document' }
    : { endpoint: submissions.getSubmission, label: 'Read a submission' }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
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
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
