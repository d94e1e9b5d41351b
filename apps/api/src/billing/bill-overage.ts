import { type Plan, plans } from '@pdfnorm/contracts/schema/plan'
import { withOrganization } from '../database/transaction.ts'
import { DocumentUsageEntity } from '../plan/quota.ts'
import type { Platform } from '../platform.ts'
import { SubscriptionEntity } from './subscription.ts'

/**
 * Charges what a cycle that has ended used beyond its plan, once: the cycle is locked until it is written down, and the
 * processor takes the same charge only once should that fail.
 */
export async function billOverage(
  { orm, clock, payments }: Pick<Platform, 'orm' | 'clock' | 'payments'>,
  { organizationId, cycleStartsAt }: { organizationId: string; cycleStartsAt: string },
): Promise<void> {
  if (payments === null) return
  await withOrganization(orm, organizationId, async (em) => {
    const cycle = { organizationId, cycleStartsAt: new Date(cycleStartsAt) }
    await em.execute(
      `select 1 from document_usage where organization_id = ? and cycle_starts_at = ? for update`,
      [organizationId, cycle.cycleStartsAt],
    )
    const usage = await em.findOne(DocumentUsageEntity, cycle)
    const subscription = await em.findOne(SubscriptionEntity, { organizationId })
    const tier = usage?.planTier ?? 'free'
    const plan: Plan = plans[tier]
    const documents = (usage?.documents ?? 0) - plan.monthlyDocuments
    if (usage === null || subscription === null || usage.overageBilledAt) return
    if (documents <= 0 || plan.overagePerDocumentUsd === null) return

    await payments.chargeOverage({
      ...cycle,
      customerId: subscription.customerId,
      documents,
      cents: Math.round(documents * plan.overagePerDocumentUsd * 100),
    })
    usage.overageBilledAt = clock.now()
  })
}
