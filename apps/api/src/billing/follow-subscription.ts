import type { EntityManager } from '@mikro-orm/postgresql'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { enterOrganization, withLookUp, withOrganization } from '../database/transaction.ts'
import { lockOrganization, type Organization } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { orderCancellation } from './order-cancellation.ts'
import type { PaymentProcessor, ProcessorSubscription } from './payment-processor.ts'
import { SubscriptionEntity } from './subscription.ts'

/**
 * Makes an organization's plan what the processor says of its customer at this moment. Asked anew each time, so that it
 * does not matter which event leads here, how often, and in which order.
 *
 * @returns false for a customer that is none of this service
 */
export async function followSubscription(
  platform: Pick<Platform, 'orm' | 'log' | 'queue'>,
  payments: PaymentProcessor,
  customerId: string,
): Promise<boolean> {
  const question = await numberQuestion(platform, customerId)
  if (question === null) return false

  const { organizationId } = question
  const found = await payments.subscriptionsOf(customerId)
  if (found.length > 1) {
    platform.log.error({ organizationId }, 'an organization pays for more than one subscription')
  }
  await writeAnswer(platform, question, found.toSorted(byWorth)[0] ?? null)
  return true
}

interface Question {
  organizationId: string
  customerId: string
  number: number
}

/**
 * Numbers the question before it is asked. No lock is held while the processor answers: of several answers that one is
 * written which was asked for last, and it was asked for after every event that has come by then.
 */
async function numberQuestion(
  { orm }: Pick<Platform, 'orm'>,
  customerId: string,
): Promise<Question | null> {
  return withLookUp(orm, { paymentCustomerId: customerId }, async (em) => {
    const known = await em.findOne(SubscriptionEntity, { customerId })
    if (known === null) return null
    const { organizationId } = known
    await enterOrganization(em, organizationId)
    const [asked] = await em.execute<{ number: number }[]>(
      `update subscription set last_asked = last_asked + 1 where customer_id = ?
       returning last_asked as number`,
      [customerId],
    )
    return asked === undefined ? null : { organizationId, customerId, number: asked.number }
  })
}

async function writeAnswer(
  { orm, queue }: Pick<Platform, 'orm' | 'queue'>,
  { organizationId, customerId, number }: Question,
  subscription: ProcessorSubscription | null,
): Promise<void> {
  await withOrganization(orm, organizationId, async (em) => {
    const organization = await lockOrganization(em, organizationId)
    const taken = await em.nativeUpdate(
      SubscriptionEntity,
      { customerId, lastAnswered: { $lt: number } },
      {
        lastAnswered: number,
        subscriptionId: subscription?.id ?? null,
        status: subscription?.status ?? null,
        billingInterval: subscription?.interval ?? null,
        currentPeriodEndsAt: subscription?.currentPeriodEndsAt ?? null,
        cancelsAtPeriodEnd: subscription?.cancelsAtPeriodEnd ?? false,
      },
    )
    if (taken === 0) return
    const { planTier: formerTier } = organization
    const plan = subscription !== null && isServed(subscription) ? subscription : null
    em.assign(organization, {
      planTier: plan?.tier ?? 'free',
      quotaCountsFrom: plan?.countsFrom ?? null,
    })
    await em.flush()
    if (plans[organization.planTier].retentionDays > plans[formerTier].retentionDays) {
      await extendWhatIsKept(queue, em, organization)
    }
    // Paid on a page that was open when the organization was deactivated.
    if (subscription !== null && !organization.isActive) {
      await orderCancellation(queue, em, organization)
    }
  })
}

/** Now, and once more for documents that are on their way by the former plan. */
async function extendWhatIsKept(
  queue: Platform['queue'],
  em: EntityManager,
  organization: Organization,
): Promise<void> {
  for (const startAfterSeconds of [0, 15 * 60]) {
    const payload = { organizationId: organization.id }
    await queue.send(em, 'extend-retention', payload, organization, { startAfterSeconds })
  }
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
