import { Badge, Group } from '@mantine/core'
import type { SubmissionEventName } from '@pdfnorm/contracts/schema/webhook-endpoint'

export function ActiveBadge({ active }: { active: boolean }) {
  return (
    <Badge color={active ? 'green' : 'gray'} variant="light" tt="none" style={{ flexShrink: 0 }}>
      {active ? 'Active' : 'Off'}
    </Badge>
  )
}

export function EventNames({ events }: { events: readonly SubmissionEventName[] }) {
  return (
    <Group gap={6}>
      {events.map((event) => (
        <Badge key={event} variant="default" tt="none" fw={500}>
          {event}
        </Badge>
      ))}
    </Group>
  )
}
