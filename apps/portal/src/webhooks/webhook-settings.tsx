import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import type {
  ChangeWebhookRequest,
  WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { ConfirmDialog } from '../page/confirm-dialog.tsx'
import { CopyButton } from '../page/copy-button.tsx'
import { Dialog } from '../page/dialog.tsx'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { useMay } from '../session/use-session.ts'
import { readWebhooksAnew } from './queries.ts'
import { RotateSecret } from './rotate-secret.tsx'
import { ActiveBadge, EventNames } from './webhook-facts.tsx'
import { WebhookForm } from './webhook-form.tsx'

/** What a webhook is, and what can be done with it. */
export function WebhookSettings({ webhook }: { webhook: WebhookConfiguration }) {
  const { url, events, active, createdAt, lastDeliveryAt } = webhook
  const mayChange = useMay()('changeWebhooks')
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label="Settings"
      tabIndex={-1}
      style={{ outline: 'none' }}
    >
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <Group gap={4} wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
            <Text
              ff="monospace"
              size="sm"
              dir="ltr"
              lineClamp={4}
              title={url}
              pt={3}
              style={{ overflowWrap: 'anywhere' }}
            >
              {url}
            </Text>
            <CopyButton text={url} what="the address" />
          </Group>
          <ActiveBadge active={active} />
        </Group>
        <EventNames events={events} />
        <Text size="sm" c="dimmed">
          Created <When at={createdAt} />,{' '}
          {lastDeliveryAt === null ? (
            'nothing was delivered yet'
          ) : (
            <>
              last delivered <When at={lastDeliveryAt} />
            </>
          )}
        </Text>
        {mayChange && (
          <Group gap="sm">
            <Edit webhook={webhook} />
            {active ? <TurnOff webhook={webhook} /> : <TurnOn webhook={webhook} />}
            <RotateSecret rotate={() => rpc.webhooks.rotateSecret.mutate({ id: webhook.id })} />
            <Delete webhook={webhook} />
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

function useChange(id: string, onDone: () => void, message: string) {
  return useMutation({
    mutationFn: (change: ChangeWebhookRequest) => rpc.webhooks.change.mutate({ ...change, id }),
    onSuccess: async () => {
      await readWebhooksAnew()
      onDone()
      void announce(message)
    },
  })
}

function Edit({ webhook: { id, url, events } }: { webhook: WebhookConfiguration }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const change = useChange(id, close, 'The webhook is changed.')
  const leave = () => {
    change.reset()
    close()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={open}>
        Edit
      </Button>
      <Dialog opened={isOpen} onClose={leave} title="Edit the webhook" size="lg">
        <WebhookForm
          initial={{ url, events }}
          action="Save"
          pending={change.isPending}
          error={change.error}
          onSubmit={(choice) => change.mutate(choice)}
          onCancel={leave}
        >
          {(choice) => (
            <CallSnippet
              call={{ endpoint: webhooks.changeWebhook, path: { id }, body: { ...choice } }}
              label="Change the webhook"
            />
          )}
        </WebhookForm>
      </Dialog>
    </>
  )
}

function TurnOn({ webhook: { id } }: { webhook: WebhookConfiguration }) {
  const change = useChange(id, () => undefined, 'The webhook is active.')
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={change.isPending}
        onClick={() => change.mutate({ active: true })}
      >
        Turn on
      </Button>
      <ProblemAlert error={change.error} />
    </>
  )
}

function TurnOff({ webhook: { id } }: { webhook: WebhookConfiguration }) {
  const [isAsking, { open, close }] = useDisclosure(false)
  const change = useChange(id, close, 'The webhook is off.')
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        onClick={open}
      >
        Turn off
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => {
          change.reset()
          close()
        }}
        onConfirm={() => change.mutate({ active: false })}
        title="Turn the webhook off?"
        action="Turn off"
        pending={change.isPending}
        error={change.error}
      >
        What is on its way to it becomes a dead letter, which can be sent again. What happens while
        it is off is not sent to it, also not later.
      </ConfirmDialog>
    </>
  )
}

function Delete({ webhook: { id, url } }: { webhook: WebhookConfiguration }) {
  const [isAsking, { open, close }] = useDisclosure(false)
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => rpc.webhooks.delete.mutate({ id }),
    onSuccess: async () => {
      // The page of what is gone is left before the list is read without it.
      await navigate({ to: '/webhooks' })
      await readWebhooksAnew()
      void announce('The webhook is deleted.')
    },
  })
  return (
    <>
      <Button
        variant="light"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={open}
      >
        Delete
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => {
          remove.reset()
          close()
        }}
        onConfirm={() => remove.mutate()}
        title="Delete the webhook?"
        action="Delete the webhook"
        pending={remove.isPending}
        error={remove.error}
      >
        Nothing more is sent to{' '}
        <bdi style={{ overflowWrap: 'anywhere', fontWeight: 600 }}>{url}</bdi>. What is on its way
        becomes a dead letter and cannot be sent again. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
