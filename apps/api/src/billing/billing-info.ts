import type { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { type Plan, plans } from '@pdfnorm/contracts/schema/plan'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import { DocumentUsageEntity, quotaCycleOf, usagePercent } from '../plan/quota.ts'
import type { Platform } from '../platform.ts'
import { SubscriptionEntity } from './subscription.ts'

/** GET /api/billing/info. */
export async function billingInfo(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
): Promise<BillingInfo> {
  const organizationId = caller.organization.id
  return withOrganization(orm, organizationId, async (em) => {
    const organization = await em.findOneOrFail(OrganizationEntity, organizationId)
    const subscription = await em.findOne(SubscriptionEntity, { organizationId })
    const cycle = quotaCycleOf(organization, clock.now())
    const usage = await em.findOne(DocumentUsageEntity, {
      organizationId,
      cycleStartsAt: cycle.startsAt,
    })

    const plan: Plan = plans[organization.planTier]
    const used = usage?.documents ?? 0
    return {
      planTier: organization.planTier,
      monthlyDocLimit: plan.monthlyDocuments,
      currentMonthUsage: used,
      remainingQuota: Math.max(0, plan.monthlyDocuments - used),
      usagePercent: usagePercent(used, plan),
      // Decision 3.14: a customer that only looked at the checkout page is none yet.
      paymentCustomerId: subscription?.subscriptionId ? subscription.customerId : null,
      paymentSubscriptionId: subscription?.subscriptionId ?? null,
      billingInterval: subscription?.billingInterval ?? 'month',
      subscriptionStatus: subscription?.status ?? 'active',
      currentPeriodEnd: (subscription?.currentPeriodEndsAt ?? cycle.endsAt).toISOString(),
      cancelAtPeriodEnd: subscription?.cancelsAtPeriodEnd ?? false,
      overageRatePerDoc: plan.overagePerDocumentUsd ?? 0,
    }
  })
}
