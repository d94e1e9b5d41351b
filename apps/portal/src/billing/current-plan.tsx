import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { IconExternalLink } from '@tabler/icons-react'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { money, priceOf } from './money.ts'
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
  mayManage: boolean
}) {
  const management = useManagement()
  const isSubscribed = paymentSubscriptionId !== null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="plan" h="100%">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h5" id="plan">
          Plan
        </Title>
        <Group gap="sm">
          <Text size="xl" fw={650} tt="capitalize">
            {planTier}
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
          <Button
            variant={isSubscribed ? 'filled' : 'subtle'}
            size={isSubscribed ? 'sm' : 'compact-sm'}
            onClick={() => management.mutate()}
            loading={management.isPending}
            rightSection={<IconExternalLink size={16} aria-hidden />}
          >
            {isSubscribed ? 'Change, cancel, invoices' : 'Invoices of former plans'}
          </Button>
        )}
        <ProblemAlert error={management.error} />
      </Stack>
    </Paper>
  )
}
