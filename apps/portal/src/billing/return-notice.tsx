import { Alert } from '@mantine/core'
import type { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { IconArrowBackUp, IconCircleCheck, IconHourglass } from '@tabler/icons-react'
import { planName } from './plan-name.ts'
import type { Returned } from './processor-page.ts'

/** What came of the checkout that somebody comes back from. @param isLate the report was waited for in vain */
export function ReturnNotice({
  returned,
  billing: { planTier, paymentSubscriptionId },
  isLate,
}: {
  returned: Returned | undefined
  billing: BillingInfo
  isLate: boolean
}) {
  if (returned === 'unpaid' && paymentSubscriptionId === null) {
    return (
      <Alert
        color="gray"
        role="status"
        icon={<IconArrowBackUp aria-hidden />}
        title="Nothing was bought"
      >
        The checkout was left. The plan stays as it is.
      </Alert>
    )
  }
  if (returned !== 'paid') return null
  if (paymentSubscriptionId !== null) {
    return (
      <Alert
        color="green"
        role="status"
        icon={<IconCircleCheck aria-hidden />}
        title={`The organization is on ${planName(planTier)}`}
      >
        The payment is confirmed, and the documents of the plan are there to be used.
      </Alert>
    )
  }
  return (
    <Alert
      color="blue"
      role="status"
      icon={<IconHourglass aria-hidden />}
      title={isLate ? 'The confirmation takes its time' : 'Waiting for the confirmation'}
    >
      {isLate
        ? 'The plan changes by itself once the payment processor reports the payment. Look again in a while; nothing has to be paid twice.'
        : 'The payment processor confirms the payment in a moment; the plan changes then.'}
    </Alert>
  )
}
