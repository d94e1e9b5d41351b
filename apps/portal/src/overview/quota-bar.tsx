import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import type { Statistics } from '@pdfnorm/contracts/schema/statistics'
import type { UsageHistory } from '@pdfnorm/contracts/schema/usage-history'
import { PageLink } from '../page/page-link.tsx'
import { When } from '../page/when.tsx'
import { forecast } from './forecast.ts'

/** How much of the plan's documents is used, and how far they will last. */
export function QuotaBar({
  statistics: { usedThisMonth: used, planLimit: limit, usageLimitPercent: percent },
  cycle,
  now,
}: {
  statistics: Statistics
  cycle: UsageHistory['cycle']
  now: number
}) {
  const expected = forecast(cycle, used, limit, now)
  const color = percent >= 100 ? 'red.8' : percent >= 80 ? 'yellow.8' : 'blue.8'
  const expectedMore =
    expected === null ? 0 : Math.max(0, Math.min(100, (expected.documents / limit) * 100) - percent)
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" align="baseline" gap="md" style={{ rowGap: 0 }}>
          <Title order={2} size="h5">
            Documents of this month
          </Title>
          <Text size="sm" c="dimmed">
            until <When at={cycle.endsAt} withTime={false} />
          </Text>
        </Group>
        <Text>
          <Text span size="xl" fw={650} inherit={false}>
            {used.toLocaleString('en')}
          </Text>{' '}
          of {limit.toLocaleString('en')}{' '}
          <Text span c="dimmed" inherit>
            ({percent.toLocaleString('en')} %)
          </Text>
        </Text>
        <Progress.Root size="lg">
          <Progress.Section value={Math.min(100, percent)} color={color} aria-label="Used" />
          <Progress.Section
            value={expectedMore}
            color={color}
            striped
            aria-label="Expected by the end of the month"
            style={{ opacity: 0.45 }}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed">
          {expected === null ? (
            'The month is too young for a forecast.'
          ) : expected.exhaustedAt === null ? (
            `At this pace about ${expected.documents.toLocaleString('en')} by the end of the month.`
          ) : (
            <>
              At this pace the plan is used up on{' '}
              <When at={expected.exhaustedAt.toISOString()} withTime={false} />.{' '}
              <PageLink to="/billing" inherit>
                Compare the plans
              </PageLink>
            </>
          )}
        </Text>
      </Stack>
    </Paper>
  )
}
