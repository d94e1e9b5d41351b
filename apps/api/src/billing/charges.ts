import type { Charges } from '@pdfnorm/contracts/schema/charges'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { cycleOverage } from '../plan/overage.ts'
import { DocumentUsageEntity, quotaCycleOf } from '../plan/quota.ts'
import type { Platform } from '../platform.ts'
import { SubscriptionEntity } from './subscription.ts'

/** What the cycle that runs would be charged beside the plan, and whether there is anybody to charge. */
export async function charges(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  { organization }: MemberCaller,
): Promise<Charges> {
  const organizationId = organization.id
  const { startsAt: cycleStartsAt } = quotaCycleOf(organization, clock.now())
  return withOrganization(orm, organizationId, async (em) => {
    const usage = await em.findOne(DocumentUsageEntity, { organizationId, cycleStartsAt })
    const subscription = await em.findOne(SubscriptionEntity, { organizationId })
    const planTier = usage?.planTier ?? null
    const overage = cycleOverage(usage?.documents ?? 0, planTier)
    return {
      planTier: planTier ?? organization.planTier,
      overage: overage && {
        documents: overage.documents,
        perDocumentUsd: overage.perDocumentUsd,
        totalUsd: overage.cents / 100,
      },
      hasCustomer: subscription !== null,
    }
  })
}
