import { Alert, Text } from '@mantine/core'
import type { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { IconAlertTriangle, IconCalendarX } from '@tabler/icons-react'
import { When } from '../page/when.tsx'
import { planName } from './plan-name.ts'

/** What somebody has to know of the subscription that does not simply go on. */
export function SubscriptionNotice({
  billing: { planTier, paymentSubscriptionId, subscriptionStatus, cancelAtPeriodEnd, ...billing },
}: {
  billing: BillingInfo
}) {
  if (paymentSubscriptionId === null) return null
  const end = billing.currentPeriodEnd && <When at={billing.currentPeriodEnd} withTime={false} />
  return (
    <>
      {cancelAtPeriodEnd && (
        <Alert
          color="yellow"
          icon={<IconCalendarX aria-hidden />}
          title={<>The plan ends{end && <> on {end}</>}</>}
        >
          <Text size="sm">
            Until then everything stays as it is; after that the organization is on the plan Free,
            and what that does not keep so long is deleted. The cancellation can be taken back until
            then.
          </Text>
        </Alert>
      )}
      {subscriptionStatus === 'past_due' && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="A payment failed">
          <Text size="sm">
            The plan goes on while the payment processor tries again. Look at the means of payment,
            so that it does not end.
          </Text>
        </Alert>
      )}
      {!servedStatuses.has(subscriptionStatus) && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={`The subscription is ${subscriptionStatus.replaceAll('_', ' ')}`}
        >
          <Text size="sm">
            Until it is paid, the organization is on the plan {planName(planTier)}. Look at the
            means of payment.
          </Text>
        </Alert>
      )}
    </>
  )
}

/** The processor's words for a subscription whose plan holds. */
const servedStatuses = new Set(['active', 'trialing', 'past_due'])
