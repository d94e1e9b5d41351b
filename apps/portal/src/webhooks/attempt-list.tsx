import { Badge, Group, Stack, Text } from '@mantine/core'
import type { DeliveryAttempt } from '@pdfnorm/contracts/schema/webhook-event'
import { When } from '../page/when.tsx'

/** What came of each attempt, the oldest first. */
export function AttemptList({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  if (attempts.length === 0) return null
  return (
    <Stack component="ol" aria-label="Attempts" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.map((attempt, index) => (
        <Group component="li" key={index} gap="xs" align="baseline" style={{ rowGap: 2 }}>
          <Badge
            color={attempt.error === null ? 'green' : 'red'}
            variant="light"
            tt="none"
            style={{ fontVariantNumeric: 'tabular-nums' }}
          >
            {outcomeOf(attempt)}
          </Badge>
          <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {attempt.durationMs.toLocaleString('en')} ms
          </Text>
          <Text size="sm" c="dimmed">
            <When at={attempt.at} />
          </Text>
          {attempt.error !== null && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {attempt.error}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  )
}

/** What the receiver answered, in a word. */
export function outcomeOf({ statusCode }: DeliveryAttempt): string {
  return statusCode === null ? 'No answer' : String(statusCode)
}
