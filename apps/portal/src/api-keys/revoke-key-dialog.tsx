import { Code, Text } from '@mantine/core'
import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import type { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { useMutation } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { ConfirmDialog } from '../page/confirm-dialog.tsx'
import { When } from '../page/when.tsx'
import { rpc } from '../session/rpc.ts'
import { apiKeysChanged } from './queries.ts'

export function RevokeKeyDialog({
  apiKey: { id, name, keyPrefix, lastUsedAt },
  onClose,
}: {
  apiKey: ApiKeyResponse
  onClose: () => void
}) {
  const revoke = useMutation({
    mutationFn: () => rpc.apiKeys.revoke.mutate({ id }),
    onSuccess: async () => {
      await apiKeysChanged()
      onClose()
      void announce(`${name} is revoked.`)
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => revoke.mutate()}
      title="Revoke the key?"
      action="Revoke the key"
      pending={revoke.isPending}
      error={revoke.error}
    >
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        <bdi>
          <strong>{name}</strong>
        </bdi>{' '}
        (<Code>{keyPrefix}…</Code>) is refused from the next request on, and never works again.{' '}
        {lastUsedAt === null ? (
          'No program has used it.'
        ) : (
          <>
            A program used it last on <When at={lastUsedAt} />.
          </>
        )}
      </Text>
      <Text inherit my="xs">
        If a program still needs a key, rotate this one instead: both work for a while.
      </Text>
      <CallSnippet
        call={{ endpoint: apiKeys.revokeApiKey, path: { id } }}
        label="Revoke this key"
      />
    </ConfirmDialog>
  )
}
