import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { limits } from '@pdfnorm/contracts/schema/limit'
import type { RotatedDefaultWebhookSecret } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '../page/confirm-dialog.tsx'
import { Dialog } from '../page/dialog.tsx'
import { SecretOnce } from '../page/secret-once.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { When } from '../page/when.tsx'
import { readWebhooksAnew } from './queries.ts'

/** Replaces a signing secret and shows the new one. @param isShownAgain whether it can be read later, too */
export function RotateSecret({
  rotate,
  isShownAgain = false,
}: {
  rotate: () => Promise<RotatedDefaultWebhookSecret>
  isShownAgain?: boolean
}) {
  const [isAsking, asking] = useDisclosure(false)
  const rotation = useMutation({
    mutationFn: rotate,
    onSuccess: () => {
      asking.close()
      return readWebhooksAnew()
    },
    gcTime: 0,
  })
  const leave = () => {
    asking.close()
    rotation.reset()
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={asking.open}
      >
        Rotate the secret
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={leave}
        onConfirm={() => rotation.mutate()}
        title="Rotate the signing secret?"
        action="Rotate the secret"
        pending={rotation.isPending}
        error={rotation.error}
      >
        There will be a new secret. For {limits.webhookSecretOverlapHours} hours every delivery
        carries both signatures in <code>webhook-signature</code>; <code>X-Service-Signature</code>{' '}
        is made with the new secret at once.
      </ConfirmDialog>
      <Dialog
        opened={rotation.data !== undefined}
        onClose={rotation.reset}
        title="The secret is rotated"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {rotation.data && (
          <NewSecret rotated={rotation.data} isShownAgain={isShownAgain} onDone={rotation.reset} />
        )}
      </Dialog>
    </>
  )
}

function NewSecret({
  rotated: { secret, previousValidUntil },
  isShownAgain,
  onDone,
}: {
  rotated: RotatedDefaultWebhookSecret
  isShownAgain: boolean
  onDone: () => void
}) {
  return (
    <Stack role="status">
      {isShownAgain ? (
        <ShownSecret secret={secret} />
      ) : (
        <SecretOnce secret={secret} what="the new signing secret" />
      )}
      <Text size="sm">
        Until <When at={previousValidUntil} /> deliveries are signed with the previous secret, too.
        Take the new one into your receiver before.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          I have copied it
        </Button>
      </Group>
    </Stack>
  )
}
