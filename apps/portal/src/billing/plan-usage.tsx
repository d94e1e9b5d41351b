import { Alert, Group, Progress, Text } from '@mantine/core'
import type { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import type { Charges } from '@pdfnorm/contracts/schema/charges'
import { plans } from '@pdfnorm/contracts/schema/plan'
import type { UsageHistory } from '@pdfnorm/contracts/schema/usage-history'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Section } from '../page/section.tsx'
import { When } from '../page/when.tsx'
import { money } from './money.ts'
import { planName } from './plan-name.ts'

/** What is used of the plan in the month that runs, and what goes beyond it. */
export function PlanUsage({
  billing,
  charges,
  cycle,
}: {
  billing: BillingInfo
  charges: Charges
  cycle: UsageHistory['cycle']
}) {
  const { monthlyDocLimit: limit, currentMonthUsage: used, usagePercent: percent } = billing
  const color = percent >= 100 ? 'red.8' : percent >= 80 ? 'yellow.8' : 'blue.8'
  const until = <When at={cycle.endsAt} withTime={false} />
  return (
    <Section title="This month">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text>
          <Text span fw={650} size="xl" inherit={false}>
            {used.toLocaleString('en')}
          </Text>{' '}
          of {limit.toLocaleString('en')} documents ({percent.toLocaleString('en')}&nbsp;%)
        </Text>
        <Text size="sm" c="dimmed">
          starts anew on {until}
        </Text>
      </Group>
      <Progress
        value={Math.min(100, percent)}
        color={color}
        size="lg"
        aria-label="Documents used"
      />
      {billing.overageRatePerDoc === 0 ? (
        <HardLimit remaining={billing.remainingQuota} until={until} />
      ) : (
        <Overage billing={billing} charges={charges} />
      )}
    </Section>
  )
}

/** On a plan that refuses what goes beyond it. */
function HardLimit({ remaining, until }: { remaining: number; until: ReactNode }) {
  if (remaining > 0) {
    return (
      <Text size="sm" c="dimmed">
        {remaining.toLocaleString('en')} left. When they are used up, further documents are refused
        until the next month; nothing is charged.
      </Text>
    )
  }
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title="The month’s documents are used up"
    >
      Further ones are refused until {until}. A paid plan goes on beyond its documents.
    </Alert>
  )
}

/** On a plan that goes on. */
function Overage({
  billing: { planTier, remainingQuota: remaining, overageRatePerDoc: rate },
  charges: { planTier: countedTier, overage },
}: {
  billing: BillingInfo
  charges: Charges
}) {
  if (overage !== null) {
    return (
      <Text size="sm">
        {overage.documents.toLocaleString('en')} beyond the plan
        {countedTier !== planTier && ` ${planName(countedTier)}`} at {money(overage.perDocumentUsd)}{' '}
        each: <strong>{money(overage.totalUsd)}</strong> so far, charged when the month has ended.
      </Text>
    )
  }
  if (remaining > 0) {
    return (
      <Text size="sm" c="dimmed">
        {remaining.toLocaleString('en')} left. Beyond the plan a document costs {money(rate)}.
      </Text>
    )
  }
  return (
    <Text size="sm" c="dimmed">
      The {plans[countedTier].monthlyDocuments.toLocaleString('en')} documents of the plan{' '}
      {planName(countedTier)}, under which they were used, hold until the month ends: nothing is
      charged beside the plan.
    </Text>
  )
}
