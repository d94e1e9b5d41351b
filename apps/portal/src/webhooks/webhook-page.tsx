import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { WebhookConfiguration } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { announce } from '../page/announce.ts'
import { Page } from '../page/page.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { useMay } from '../session/use-session.ts'
import { Pages } from '../page/pages.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { deliveriesQuery, eventsPerPage, readWebhooksAnew, webhooksQuery } from './queries.ts'
import { WebhookCalls } from './webhook-calls.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

const route = getRouteApi('/member/webhooks/$webhookId')

export function WebhookPage() {
  const { webhookId } = route.useParams()
  const may = useMay()
  const { data } = useSuspenseQuery(webhooksQuery)
  const webhook = data.find(({ id }) => id === webhookId)
  if (webhook === undefined) throw notFound()
  const mayChange = may('changeWebhooks')

  return (
    <Page title={hostOf(webhook.url)} lead="A webhook of the organization.">
      <WebhookSettings webhook={webhook} />
      {may('readDeliveries') ? (
        <Deliveries webhook={webhook} />
      ) : (
        <WhomToAsk deed="readDeliveries">
          An admin or the owner sees what was delivered, and changes the webhook.
        </WhomToAsk>
      )}
      <WebhookCalls webhook={webhook} mayChange={mayChange} mayRead={may('readDeliveries')} />
    </Page>
  )
}

/** Addresses were checked when they were given; whatever they are, the page shows them. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function Deliveries({ webhook: { id } }: { webhook: WebhookConfiguration }) {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const mayTest = useMay()('changeWebhooks')
  const { data } = useSuspenseQuery(deliveriesQuery({ id, page }))
  const test = useMutation({
    mutationFn: () => rpc.webhooks.test.mutate({ id }),
    onSuccess: async () => {
      void announce('A test event is on its way.')
      if (page > 1) await navigate({ search: {} })
      await readWebhooksAnew()
    },
  })
  const testButton = (
    <Button
      leftSection={<IconSend size={16} aria-hidden />}
      loading={test.isPending}
      onClick={() => test.mutate()}
    >
      Send a test event
    </Button>
  )
  return (
    <Stack
      component="section"
      gap="sm"
      aria-label="Deliveries"
      tabIndex={-1}
      style={{ outline: 'none' }}
    >
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} size="h4">
            Deliveries
          </Title>
          <Text size="sm" c="dimmed">
            {data.total.toLocaleString('en')} {data.total === 1 ? 'event' : 'events'}, the newest
            first
          </Text>
        </div>
        {mayTest && testButton}
      </Group>
      <ProblemAlert error={test.error} />
      {data.total === 0 ? (
        <Text>
          Nothing was sent yet.{' '}
          {mayTest && 'Send a test event and see here what your receiver answers.'}
        </Text>
      ) : (
        <DeliveryList deliveries={data.deliveries} />
      )}
      <Pages
        total={data.total}
        perPage={eventsPerPage}
        page={page}
        onChange={(to) => void navigate({ search: to === 1 ? {} : { page: to } })}
      />
    </Stack>
  )
}
