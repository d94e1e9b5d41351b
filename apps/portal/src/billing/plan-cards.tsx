import { Badge, Button, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { BillingInterval } from '@pdfnorm/contracts/schema/billing'
import { PaidPlanTier, type Plan, PlanTier, plans } from '@pdfnorm/contracts/schema/plan'
import { sizeOf } from '../page/size-of.ts'
import { money, priceOf } from './money.ts'
import { planName } from './plan-name.ts'

/** All plans, side by side. @param onChoose null: nothing can be chosen here */
export function PlanCards({
  current,
  interval,
  action,
  pendingTier,
  onChoose,
}: {
  current: PlanTier
  interval: BillingInterval
  /** What choosing does, before the plan's name. */
  action: string
  pendingTier: PaidPlanTier | null
  onChoose: ((tier: PaidPlanTier) => void) | null
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md" component="ul" p={0} m={0}>
      {PlanTier.options.map((tier) => {
        const plan: Plan = plans[tier]
        const paid = PaidPlanTier.safeParse(tier)
        const isCurrent = tier === current
        return (
          <Paper
            key={tier}
            withBorder
            p="md"
            component="li"
            style={{
              listStyle: 'none',
              display: 'flex',
              flexDirection: 'column',
              borderColor: isCurrent ? 'var(--mantine-primary-color-filled)' : undefined,
            }}
          >
            <Stack gap="sm" flex={1}>
              <Group justify="space-between" mih={24}>
                <Title order={3} size="h5">
                  {planName(tier)}
                </Title>
                {isCurrent && (
                  <Badge variant="light" tt="none">
                    Your plan
                  </Badge>
                )}
              </Group>
              <Text>
                <Text span size="xl" fw={650} inherit={false}>
                  {money(priceOf(plan, interval))}
                </Text>{' '}
                a {interval}
              </Text>
              <List size="sm" spacing={4} flex={1}>
                <List.Item>
                  {plan.monthlyDocuments.toLocaleString('en')} documents a month
                </List.Item>
                <List.Item>
                  {plan.overagePerDocumentUsd === null
                    ? 'no document beyond them'
                    : `${money(plan.overagePerDocumentUsd)} for each one beyond`}
                </List.Item>
                <List.Item>files up to {sizeOf(plan.maxFileBytes)}</List.Item>
                <List.Item>
                  {plan.concurrentJobs} {plan.concurrentJobs === 1 ? 'document' : 'documents'} at a
                  time
                </List.Item>
                <List.Item>kept for {plan.retentionDays} days</List.Item>
              </List>
              {onChoose && paid.success && !isCurrent && (
                <Button
                  variant="light"
                  fullWidth
                  loading={pendingTier === tier}
                  disabled={pendingTier !== null && pendingTier !== tier}
                  onClick={() => onChoose(paid.data)}
                >
                  {action} {planName(tier)}
                </Button>
              )}
            </Stack>
          </Paper>
        )
      })}
    </SimpleGrid>
  )
}
