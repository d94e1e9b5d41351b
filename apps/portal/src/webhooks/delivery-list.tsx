import { Accordion, Badge, Group, Stack, Text } from '@mantine/core'
import type { WebhookDelivery } from '@pdfnorm/contracts/schema/webhook-event'
import { When } from '../page/when.tsx'
import { AttemptList, outcomeOf } from './attempt-list.tsx'
import { EventId } from './event-id.tsx'
import { isBeingSent } from './queries.ts'
import { Replay } from './replay.tsx'

const looks = {
  pending: { color: 'blue', label: 'Pending' },
  delivered: { color: 'green', label: 'Delivered' },
  dead: { color: 'red', label: 'Dead' },
} as const satisfies Record<WebhookDelivery['status'], object>

/** Events of one webhook; each opens to show its attempts. */
export function DeliveryList({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  if (deliveries.length === 0) return <Text c="dimmed">There is nothing on this page.</Text>
  return (
    <Accordion variant="contained" multiple order={3} keepMounted={false}>
      {deliveries.map((delivery) => (
        <Accordion.Item key={delivery.eventId} value={delivery.eventId}>
          <Accordion.Control>
            <Summary delivery={delivery} />
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <EventId id={delivery.eventId} />
              <AttemptList attempts={delivery.attempts} />
              <NextAttempt delivery={delivery} />
              {delivery.status === 'dead' && <Replay eventId={delivery.eventId} />}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function Summary({
  delivery: { status, event, attempts, createdAt },
}: {
  delivery: WebhookDelivery
}) {
  const { color, label } = looks[status]
  const last = attempts.at(-1)
  return (
    <Group component="span" gap="xs" pe="sm">
      <Badge component="span" color={color} variant="light" tt="none" w={92}>
        {label}
      </Badge>
      <Text span size="sm" fw={600} style={{ flex: '1 0 auto' }}>
        {event}
      </Text>
      <Text span size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {last !== undefined &&
          `${outcomeOf(last)}, ${last.durationMs.toLocaleString('en')} ms · ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'} · `}
        <When at={createdAt} />
      </Text>
    </Group>
  )
}

function NextAttempt({ delivery }: { delivery: WebhookDelivery }) {
  const { status, nextAttemptAt } = delivery
  if (status !== 'pending') return null
  return (
    <Text size="sm" role="status">
      {nextAttemptAt === null || isBeingSent(delivery) ? (
        'It is being sent.'
      ) : (
        <>
          The next attempt is made <When at={nextAttemptAt} />.
        </>
      )}
    </Text>
  )
}
