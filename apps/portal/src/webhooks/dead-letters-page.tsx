import { Accordion, Code, Group, Stack, Text } from '@mantine/core'
import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import type { DeadLetter } from '@pdfnorm/contracts/schema/dead-letter'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { IconMailCheck } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { CopyButton } from '../page/copy-button.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { Page } from '../page/page.tsx'
import { When } from '../page/when.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { useMay } from '../session/use-session.ts'
import { AttemptList } from './attempt-list.tsx'
import { EventId } from './event-id.tsx'
import { Pages } from '../page/pages.tsx'
import { deadLettersQuery, eventsPerPage } from './queries.ts'
import { Replay } from './replay.tsx'

const route = getRouteApi('/member/webhooks/dead')

export function DeadLettersPage() {
  const mayRead = useMay()('readDeliveries')
  return (
    <Page
      title="Dead letters"
      lead={`Events that could not be delivered. They are kept for ${limits.deadLetterDays} days, whatever becomes of their webhooks.`}
      actions={
        <ButtonLink to="/webhooks" variant="default">
          To the webhooks
        </ButtonLink>
      }
    >
      {mayRead ? (
        <DeadLetters />
      ) : (
        <WhomToAsk deed="readDeliveries">
          An admin or the owner sees what could not be delivered, and sends it again.
        </WhomToAsk>
      )}
    </Page>
  )
}

function DeadLetters() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(deadLettersQuery({ page }))
  return (
    <>
      {data.total === 0 ? (
        <EmptyState
          Icon={IconMailCheck}
          title="No dead letters"
          text={`An event that could not be delivered in ${limits.webhookRetries + 1} attempts comes here with its data, and can be sent again.`}
        />
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            {data.total.toLocaleString('en')} {data.total === 1 ? 'event' : 'events'}, the newest
            first
          </Text>
          <DeadLetterList deadLetters={data.deadLetters} />
        </>
      )}
      <Pages
        total={data.total}
        perPage={eventsPerPage}
        page={page}
        onChange={(to) => void navigate({ search: to === 1 ? {} : { page: to } })}
      />
      <CallSnippet call={{ endpoint: webhooks.listDeadLetters }} label="List dead letters" />
    </>
  )
}

function DeadLetterList({ deadLetters }: { deadLetters: readonly DeadLetter[] }) {
  if (deadLetters.length === 0) return <Text c="dimmed">There is nothing on this page.</Text>
  return (
    <Accordion variant="contained" multiple order={2} keepMounted={false}>
      {deadLetters.map((deadLetter) => (
        <Accordion.Item key={deadLetter.eventId} value={deadLetter.eventId}>
          <Accordion.Control>
            <Summary deadLetter={deadLetter} />
          </Accordion.Control>
          <Accordion.Panel>
            <Details deadLetter={deadLetter} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function Summary({ deadLetter: { event, url, attempts, deadAt } }: { deadLetter: DeadLetter }) {
  return (
    <Stack component="span" gap={2} pe="sm">
      <Group component="span" gap="xs" justify="space-between">
        <Text span size="sm" fw={600}>
          {event}
        </Text>
        <Text span size="sm" c="dimmed">
          <When at={deadAt} />
        </Text>
      </Group>
      <Text span size="sm" dir="ltr" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <Text span size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {attempts.at(-1)?.error}
      </Text>
    </Stack>
  )
}

function Details({ deadLetter: { eventId, attempts, payload } }: { deadLetter: DeadLetter }) {
  const body = JSON.stringify(payload, null, 2)
  return (
    <Stack gap="sm">
      <EventId id={eventId} />
      <AttemptList attempts={attempts} />
      <Group gap={6}>
        <Text size="sm" fw={600}>
          What is sent
        </Text>
        <CopyButton text={body} what="what is sent" />
      </Group>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label="What is sent"
        mah={320}
        style={{ overflow: 'auto' }}
      >
        {body}
      </Code>
      <Replay eventId={eventId} />
    </Stack>
  )
}
