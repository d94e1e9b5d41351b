import { Button, Group, Stack, Text } from '@mantine/core'
import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import { SubmissionEventName } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { useMutation } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { Dialog } from '../page/dialog.tsx'
import { SecretOnce } from '../page/secret-once.tsx'
import { rpc } from '../session/rpc.ts'
import { readWebhooksAnew } from './queries.ts'
import { type WebhookChoice, WebhookForm } from './webhook-form.tsx'

const initial: WebhookChoice = { url: '', events: [...SubmissionEventName.options] }

/** Asks for a new webhook, and shows its secret. */
export function CreateWebhook({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const create = useMutation({
    mutationFn: (choice: WebhookChoice) => rpc.webhooks.create.mutate(choice),
    onSuccess: readWebhooksAnew,
    gcTime: 0,
  })
  const close = () => {
    create.reset()
    onClose()
  }
  const created = create.data
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={created === undefined ? 'Create a webhook' : 'The webhook is created'}
      size="lg"
      // Nobody loses by a click beside it what is shown once.
      closeOnClickOutside={created === undefined}
      closeOnEscape={created === undefined}
      withCloseButton={created === undefined}
    >
      {created === undefined ? (
        <WebhookForm
          initial={initial}
          action="Create the webhook"
          pending={create.isPending}
          error={create.error}
          onSubmit={(choice) => create.mutate(choice)}
          onCancel={close}
        >
          {({ url, events }) => (
            <CallSnippet
              call={{
                endpoint: webhooks.createWebhook,
                body: { url: url || 'https://example.com/hooks/pdfnorm', events },
              }}
              label="Create a webhook"
            />
          )}
        </WebhookForm>
      ) : (
        <Stack role="status">
          <SecretOnce secret={created.secret} what="the signing secret" />
          <Text size="sm">
            Your receiver checks with it that an event is from here. Next, send it a test event.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              I have copied it
            </Button>
            <ButtonLink to="/webhooks/$webhookId" params={{ webhookId: created.id }} data-autofocus>
              To the webhook
            </ButtonLink>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
