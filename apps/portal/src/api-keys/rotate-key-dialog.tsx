import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import type { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { Dialog } from '../page/dialog.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { NewKey } from './new-key.tsx'
import { apiKeysChanged } from './queries.ts'

const overlaps = [
  { hours: 0, label: 'Not at all: it is refused at once' },
  { hours: 1, label: '1 hour' },
  { hours: limits.apiKeyOverlapHoursDefault, label: '24 hours' },
  { hours: 72, label: '3 days' },
  { hours: limits.apiKeyOverlapHoursMax, label: '7 days' },
]

export function RotateKeyDialog({
  apiKey: { id, name, expiresAt },
  onClose,
}: {
  apiKey: ApiKeyResponse
  onClose: () => void
}) {
  const [overlapHours, setOverlapHours] = useState<number>(limits.apiKeyOverlapHoursDefault)
  const rotate = useMutation({
    mutationFn: () => rpc.apiKeys.rotate.mutate({ id, overlapHours }),
    onSuccess: apiKeysChanged,
    gcTime: 0,
  })
  const rotated = rotate.data
  return (
    <Dialog
      opened
      onClose={onClose}
      title={rotated === undefined ? 'Rotate the key' : 'The key is rotated'}
      size="lg"
      isKept={rotated !== undefined}
    >
      {rotated === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            rotate.mutate()
          }}
        >
          <Stack>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <bdi>
                <strong>{name}</strong>
              </bdi>{' '}
              gets a successor with the same name and scopes
              {expiresAt !== null && ' that expires at the same time'}. Meanwhile both work, so that
              no program stands still.
            </Text>
            <NativeSelect
              label="How long the old key goes on working"
              data={overlaps.map(({ hours, label }) => ({ value: String(hours), label }))}
              value={overlapHours}
              onChange={(event) => setOverlapHours(Number(event.currentTarget.value))}
              data-autofocus
            />
            <ProblemAlert error={rotate.error} />
            <CallSnippet
              call={{ endpoint: apiKeys.rotateApiKey, path: { id }, body: { overlapHours } }}
              label="Rotate this key"
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={rotate.isPending}>
                Rotate the key
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <NewKey created={rotated} note={lastHours(overlapHours)} onDone={onClose} />
      )}
    </Dialog>
  )
}

/** What becomes of the former key. */
function lastHours(hours: number): string {
  if (hours === 0) return 'The old key does not work any more.'
  return `The old key works for ${hours} more ${hours === 1 ? 'hour' : 'hours'} at most; let its programs take this one until then.`
}
