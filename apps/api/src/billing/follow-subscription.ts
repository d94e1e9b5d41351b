import type { EntityManager } from '@mikro-orm/postgresql'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { withLookUp, withOrganization } from '../database/transaction.ts'
import { lockOrganization, type Organization } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import type { PaymentProcessor, ProcessorSubscription } from './payment-processor.ts'
import { SubscriptionEntity } from './subscription.ts'

/**
 * Makes an organization's plan what the processor says of its customer at this moment. Asked anew each time and with
 * the organization locked, so that it does not matter which event leads here, how often, and in which order.
 *
 * @returns false for a customer that is none of this service
 */
export async function followSubscription(
  { orm, log }: Pick<Platform, 'orm' | 'log'>,
  payments: PaymentProcessor,
  customerId: string,
): Promise<boolean> {
  const known = await withLookUp(orm, { paymentCustomerId: customerId }, (em) =>
    em.findOne(SubscriptionEntity, { customerId }),
  )
  if (known === null) return false

  const { organizationId } = known
  await withOrganization(orm, organizationId, async (em) => {
    const organization = await lockOrganization(em, organizationId)
    const found = await payments.subscriptionsOf(customerId)
    if (found.length > 1) {
      log.error({ organizationId }, 'an organization pays for more than one subscription')
    }
    await follow(em, organization, found.toSorted(byWorth)[0] ?? null)
  })
  return true
}

async function follow(
  em: EntityManager,
  organization: Organization,
  subscription: ProcessorSubscription | null,
): Promise<void> {
  const stored = await em.findOneOrFail(SubscriptionEntity, { organizationId: organization.id })
  em.assign(stored, {
    subscriptionId: subscription?.id ?? null,
    status: subscription?.status ?? null,
    billingInterval: subscription?.interval ?? null,
    currentPeriodEndsAt: subscription?.currentPeriodEndsAt ?? null,
    cancelsAtPeriodEnd: subscription?.cancelsAtPeriodEnd ?? false,
  })
  const plan = subscription !== null && isServed(subscription) ? subscription : null
  em.assign(organization, {
    planTier: plan?.tier ?? 'free',
    quotaCountsFrom: plan?.countsFrom ?? null,
  })
}

/** While the processor still tries to collect a payment (`past_due`), the plan goes on. */
function isServed({ status }: ProcessorSubscription): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due'
}

function byWorth(one: ProcessorSubscription, other: ProcessorSubscription): number {
  return (
    Number(isServed(other)) - Number(isServed(one)) ||
    plans[other.tier].monthlyDocuments - plans[one.tier].monthlyDocuments
  )
}
