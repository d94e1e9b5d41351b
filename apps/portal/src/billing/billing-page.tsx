import { Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { billing as billingEndpoints } from '@pdfnorm/contracts/endpoint/billing'
import { BillingInterval } from '@pdfnorm/contracts/schema/billing'
import { monthsPaidPerYear, PaidPlanTier } from '@pdfnorm/contracts/schema/plan'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { historyQuery } from '../overview/queries.ts'
import { Page } from '../page/page.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { useMay } from '../session/use-session.ts'
import { CurrentPlan } from './current-plan.tsx'
import { PlanCards } from './plan-cards.tsx'
import { PlanUsage } from './plan-usage.tsx'
import { checkoutOf, managementOf } from './processor-page.ts'
import { chargesQuery } from './queries.ts'
import { ReturnNotice } from './return-notice.tsx'
import { SubscriptionNotice } from './subscription-notice.tsx'
import { useBilling } from './use-billing.ts'
import { useChoiceOfPlan } from './use-processor-page.ts'

const route = getRouteApi('/member/billing')

export function BillingPage() {
  const { returned } = route.useSearch()
  const { billing, organization, isLate } = useBilling(returned)
  const { data: charges } = useSuspenseQuery(chargesQuery)
  const { data: history } = useSuspenseQuery(historyQuery)
  const [chosen, setInterval] = useState<BillingInterval | null>(null)
  const interval = chosen ?? billing.billingInterval
  const isOwner = useMay()('buyPlan')
  const mayBuy = isOwner && organization.isActive
  const isSubscribed = billing.paymentSubscriptionId !== null
  // Whoever has just paid is not offered to pay again.
  const isAwaited = returned === 'paid' && !isSubscribed && !isLate
  const choice = useChoiceOfPlan(isSubscribed)
  const pendingTier = choice.isPending ? choice.variables.tier : null
  const offered = PaidPlanTier.options.find((tier) => tier !== billing.planTier)

  return (
    <Page title="Billing" lead="What the organization may use, what it uses, and what it pays.">
      <ReturnNotice returned={returned} billing={billing} isLate={isLate} />
      <SubscriptionNotice billing={billing} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <CurrentPlan billing={billing} mayManage={mayBuy && charges.hasCustomer} />
        <PlanUsage billing={billing} charges={charges} cycle={history.cycle} />
      </SimpleGrid>
      <Stack component="section" gap="md" aria-labelledby="plans">
        <Group justify="space-between">
          <Title order={2} size="h4" id="plans">
            Plans
          </Title>
          <SegmentedControl
            aria-label="How it is paid"
            value={interval}
            onChange={(value) => setInterval(BillingInterval.parse(value))}
            data={[
              { value: 'month', label: 'Monthly' },
              { value: 'year', label: `Yearly: ${12 - monthsPaidPerYear} months free` },
            ]}
          />
        </Group>
        <ProblemAlert error={choice.error} />
        <PlanCards
          current={billing.planTier}
          interval={interval}
          action={isSubscribed ? 'Change to' : 'Choose'}
          pendingTier={pendingTier}
          onChoose={
            mayBuy && !isAwaited ? (tier) => choice.mutate(checkoutOf(tier, interval)) : null
          }
        />
        <Text size="sm" c="dimmed">
          In US dollars.{' '}
          {isSubscribed
            ? 'The page of the payment processor changes the plan and its interval.'
            : 'Paid on the page of the payment processor; card numbers never come here.'}
        </Text>
        {!isOwner && <WhomToAsk deed="buyPlan">Only the owner changes the plan.</WhomToAsk>}
      </Stack>
      <div>
        <CallSnippet call={{ endpoint: billingEndpoints.getBillingInfo }} />
        {mayBuy && !isSubscribed && offered && (
          <CallSnippet
            call={{
              endpoint: billingEndpoints.createCheckoutSession,
              body: checkoutOf(offered, interval),
            }}
          />
        )}
        {mayBuy && charges.hasCustomer && (
          <CallSnippet
            call={{ endpoint: billingEndpoints.createPortalSession, body: managementOf() }}
          />
        )}
      </div>
    </Page>
  )
}
