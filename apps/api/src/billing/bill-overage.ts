import type { EntityManager } from '@mikro-orm/postgresql'
import { withOrganization } from '../database/transaction.ts'
import { cycleOverage } from '../plan/overage.ts'
import { DocumentUsageEntity } from '../plan/quota.ts'
import type { Platform } from '../platform.ts'
import type { Overage } from './payment-processor.ts'
import { SubscriptionEntity } from './subscription.ts'

/** Charges what a cycle that has ended used beyond its plan, once: the processor takes the same charge only once. */
export async function billOverage(
  { orm, clock, log, payments }: Pick<Platform, 'orm' | 'clock' | 'log' | 'payments'>,
  { organizationId, cycleStartsAt }: { organizationId: string; cycleStartsAt: string },
): Promise<void> {
  if (payments === null) return
  const cycle = { organizationId, cycleStartsAt: new Date(cycleStartsAt) }
  const overage = await withOrganization(orm, organizationId, (em) => overageOf(em, cycle))
  if (overage === null) return
  if (!(await payments.hasCustomer(overage.customerId))) {
    log.error({ organizationId, cycleStartsAt }, 'nobody is left to charge the overage to')
    return
  }

  await payments.chargeOverage(overage)
  await withOrganization(orm, organizationId, (em) =>
    em.nativeUpdate(DocumentUsageEntity, cycle, { overageBilledAt: clock.now() }),
  )
}

/** null: nothing is to be charged, or not again. */
async function overageOf(
  em: EntityManager,
  cycle: Pick<Overage, 'organizationId' | 'cycleStartsAt'>,
): Promise<Overage | null> {
  const usage = await em.findOne(DocumentUsageEntity, cycle)
  const { organizationId } = cycle
  const subscription = await em.findOne(SubscriptionEntity, { organizationId })
  if (usage === null || subscription === null || usage.overageBilledAt) return null
  const overage = cycleOverage(usage.documents, usage.planTier ?? null)
  if (overage === null) return null

  const { documents, cents } = overage
  return { ...cycle, customerId: subscription.customerId, documents, cents }
}
