import { Stack } from '@mantine/core'
import { webhooks as endpoints } from '@pdfnorm/contracts/endpoint/webhooks'
import type { WebhookConfiguration } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { CallSnippet } from '../calls/call-snippet.tsx'

/** How a program does what the page does. */
export function WebhookCalls({
  webhook: { id, active },
  mayChange,
  mayRead,
}: {
  webhook: WebhookConfiguration
  mayChange: boolean
  mayRead: boolean
}) {
  const path = { id }
  return (
    <Stack gap={0}>
      {mayChange && (
        <>
          <CallSnippet call={{ endpoint: endpoints.testWebhook, path }} label="Send a test event" />
          <CallSnippet
            call={{ endpoint: endpoints.changeWebhook, path, body: { active: !active } }}
            label={active ? 'Turn it off' : 'Turn it on'}
          />
          <CallSnippet
            call={{ endpoint: endpoints.rotateWebhookSecret, path }}
            label="Rotate the secret"
          />
          <CallSnippet call={{ endpoint: endpoints.deleteWebhook, path }} label="Delete it" />
        </>
      )}
      {mayRead && (
        <CallSnippet
          call={{ endpoint: endpoints.listWebhookDeliveries, path }}
          label="List its deliveries"
        />
      )}
    </Stack>
  )
}
