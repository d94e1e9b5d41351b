import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { webhooks as endpoints } from '@pdfnorm/contracts/endpoint/webhooks'
import { limits } from '@pdfnorm/contracts/schema/limit'
import type { WebhookConfiguration } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Page } from '../page/page.tsx'
import { When } from '../page/when.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { useMay } from '../session/use-session.ts'
import { DefaultSecret } from './default-secret.tsx'
import { deadLettersQuery, webhooksQuery } from './queries.ts'
import { ActiveBadge, EventNames } from './webhook-facts.tsx'

const CreateWebhook = lazy(async () => {
  const { CreateWebhook } = await import('./create-webhook.tsx')
  return { default: CreateWebhook }
})

export function WebhooksPage() {
  const may = useMay()
  const { data: webhooks } = useSuspenseQuery(webhooksQuery)
  const [isCreating, creating] = useDisclosure(false)
  const mayCreate = may('changeWebhooks')
  const isFull = webhooks.length >= limits.webhooksPerOrganization

  return (
    <Page
      title="Webhooks"
      lead="Addresses of yours that are told when a document has ended that was processed in the background."
      actions={
        <>
          {may('readDeliveries') && <ToDeadLetters />}
          {mayCreate && webhooks.length > 0 && (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={creating.open}
              disabled={isFull}
            >
              Create a webhook
            </Button>
          )}
        </>
      }
    >
      {mayCreate && isFull && (
        <Text size="sm" c="dimmed">
          An organization has {limits.webhooksPerOrganization} webhooks at most. Delete one before
          you create another.
        </Text>
      )}
      {webhooks.length === 0 ? (
        <EmptyState
          Icon={IconWebhook}
          title="No webhook yet"
          text={
            mayCreate
              ? 'Give the address of a program of yours: it gets a signed event when a document has ended, and need not ask.'
              : 'A program of yours gets a signed event when a document has ended, and need not ask.'
          }
        >
          {mayCreate && <Button onClick={creating.open}>Create a webhook</Button>}
        </EmptyState>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {webhooks.map((webhook) => (
            <WebhookCard key={webhook.id} webhook={webhook} />
          ))}
        </Stack>
      )}
      {!may('changeWebhooks') && (
        <WhomToAsk deed="changeWebhooks">
          An admin or the owner creates and changes webhooks, and sees what was delivered.
        </WhomToAsk>
      )}
      {may('readWebhookSecrets') && <DefaultSecret />}
      <Stack gap={0}>
        <CallSnippet call={{ endpoint: endpoints.listWebhooks }} label="List webhooks" />
        {mayCreate && (
          <CallSnippet
            call={{
              endpoint: endpoints.createWebhook,
              body: {
                url: 'https://example.com/hooks/pdfnorm',
                events: ['normalization.success', 'normalization.failure'],
              },
            }}
            label="Create a webhook"
          />
        )}
      </Stack>
      <Suspense>{isCreating && <CreateWebhook opened onClose={creating.close} />}</Suspense>
    </Page>
  )
}

function ToDeadLetters() {
  const { data } = useQuery(deadLettersQuery({ page: 1 }))
  const total = data?.total ?? 0
  return (
    <ButtonLink to="/webhooks/dead" variant="default">
      Dead letters{total > 0 && ` (${total.toLocaleString('en')})`}
    </ButtonLink>
  )
}

function WebhookCard({
  webhook: { id, url, events, active, lastDeliveryAt },
}: {
  webhook: WebhookConfiguration
}) {
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <PageLink
          to="/webhooks/$webhookId"
          params={{ webhookId: id }}
          fw={600}
          dir="ltr"
          lineClamp={3}
          style={{ overflowWrap: 'anywhere', minWidth: 0 }}
        >
          {url}
        </PageLink>
        <ActiveBadge active={active} />
      </Group>
      <Group justify="space-between" gap="xs" mt="xs">
        <EventNames events={events} />
        <Text size="sm" c="dimmed">
          {lastDeliveryAt === null ? (
            'Nothing was delivered yet'
          ) : (
            <>
              Last delivered <When at={lastDeliveryAt} />
            </>
          )}
        </Text>
      </Group>
    </Paper>
  )
}
