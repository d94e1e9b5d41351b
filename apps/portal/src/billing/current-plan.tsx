import { Badge, Button, Group, Text } from '@mantine/core'
import type { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { IconExternalLink } from '@tabler/icons-react'
import { Section } from '../page/section.tsx'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { money, priceOf } from './money.ts'
import { planName } from './plan-name.ts'
import { useManagement } from './use-processor-page.ts'

/** The plan that holds, and how it is paid. */
export function CurrentPlan({
  billing: {
    planTier,
    billingInterval,
    paymentSubscriptionId,
    subscriptionStatus,
    currentPeriodEnd,
    cancelAtPeriodEnd,
  },
  mayManage,
}: {
  billing: BillingInfo
  /** There is something to manage, and the member may. */
  mayManage: boolean
}) {
  const management = useManagement()
  const isSubscribed = paymentSubscriptionId !== null
  return (
    <Section title="Plan">
      <Group gap="sm">
        <Text size="xl" fw={650}>
          {planName(planTier)}
        </Text>
        {isSubscribed && (
          <Badge
            variant="light"
            color={subscriptionStatus === 'active' ? 'green' : 'orange'}
            tt="none"
          >
            {subscriptionStatus.replaceAll('_', ' ')}
          </Badge>
        )}
      </Group>
      {isSubscribed ? (
        <Text size="sm">
          {money(priceOf(plans[planTier], billingInterval))} a {billingInterval}
          {currentPeriodEnd && (
            <>
              , {cancelAtPeriodEnd ? 'ends' : 'renews'} on{' '}
              <When at={currentPeriodEnd} withTime={false} />
            </>
          )}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          Nothing is paid.
        </Text>
      )}
      {mayManage && (
        <Group>
          <Button
            variant={isSubscribed ? 'filled' : 'default'}
            onClick={() => management.mutate()}
            loading={management.isPending}
            rightSection={<IconExternalLink size={16} aria-hidden />}
          >
            {isSubscribed ? 'Change, cancel, invoices' : 'Invoices of former plans'}
          </Button>
        </Group>
      )}
      <ProblemAlert error={management.error} />
    </Section>
  )
}
