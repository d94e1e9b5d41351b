import { Alert, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import type { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import type { UsageHistory } from '@pdfnorm/contracts/schema/usage-history'
import { IconAlertTriangle } from '@tabler/icons-react'
import { When } from '../page/when.tsx'
import { money, overageOf } from './money.ts'

/** What is used of the plan in the month that runs, and what goes beyond it. */
export function PlanUsage({
  billing: {
    monthlyDocLimit: limit,
    currentMonthUsage: used,
    remainingQuota: remaining,
    usagePercent: percent,
    overageRatePerDoc: rate,
  },
  cycle,
}: {
  billing: BillingInfo
  cycle: UsageHistory['cycle']
}) {
  const beyond = Math.max(0, used - limit)
  const color = percent >= 100 ? 'red.8' : percent >= 80 ? 'yellow.8' : 'blue.8'
  const until = <When at={cycle.endsAt} withTime={false} />
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="usage" h="100%">
      <Stack gap="sm">
        <Title order={2} size="h5" id="usage">
          This month
        </Title>
        <Group justify="space-between" align="baseline">
          <Text>
            <Text span fw={650} size="xl" inherit={false}>
              {used.toLocaleString('en')}
            </Text>{' '}
            of {limit.toLocaleString('en')} documents ({percent.toLocaleString('en')}&nbsp;%)
          </Text>
          <Text size="sm" c="dimmed">
            counted anew on {until}
          </Text>
        </Group>
        <Progress
          value={Math.min(100, percent)}
          color={color}
          size="lg"
          aria-label="Documents used"
        />
        {rate === 0 ? (
          remaining === 0 ? (
            <Alert
              color="red"
              icon={<IconAlertTriangle aria-hidden />}
              title="The month’s documents are used up"
            >
              Further ones are refused until {until}. A paid plan goes on beyond its documents.
            </Alert>
          ) : (
            <Text size="sm" c="dimmed">
              {remaining.toLocaleString('en')} left. When they are used up, further documents are
              refused until the next month; nothing is charged.
            </Text>
          )
        ) : beyond === 0 ? (
          <Text size="sm" c="dimmed">
            {remaining.toLocaleString('en')} left. Beyond the plan a document costs {money(rate)}.
          </Text>
        ) : (
          <Text size="sm">
            {beyond.toLocaleString('en')} beyond the plan at {money(rate)} each:{' '}
            <strong>{money(overageOf(beyond, rate))}</strong> so far, charged when the month has
            ended.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
