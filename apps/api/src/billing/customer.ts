import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { followSubscription } from './follow-subscription.ts'
import type { PaymentProcessor } from './payment-processor.ts'
import { SubscriptionEntity } from './subscription.ts'

/**
 * The organization's customer at the processor, made when it is first needed. One that was deleted there by hand is
 * replaced; its subscription has ended with it.
 */
export async function customerOf(
  platform: Pick<Platform, 'orm' | 'log' | 'queue'>,
  payments: PaymentProcessor,
  organizationId: string,
): Promise<string> {
  const stored = await storedCustomer(platform, organizationId)
  if (stored !== null) {
    if (await payments.hasCustomer(stored)) return stored
    // Nobody's event would be followed for a customer that is not stored any more.
    await followSubscription(platform, payments, stored)
  }

  const created = await payments.createCustomer(organizationId, stored)
  // Of two that come here at once both have the same one, unless the first has been replaced already.
  await withOrganization(platform.orm, organizationId, (em) =>
    em.execute(
      `insert into subscription (organization_id, customer_id, cancels_at_period_end)
       values (?, ?, false)
       on conflict (organization_id) do update set customer_id = excluded.customer_id
         where subscription.customer_id = ?`,
      [organizationId, created, stored],
    ),
  )
  return (await storedCustomer(platform, organizationId)) ?? created
}

async function storedCustomer(
  { orm }: Pick<Platform, 'orm'>,
  organizationId: string,
): Promise<string | null> {
  const stored = await withOrganization(orm, organizationId, (em) =>
    em.findOne(SubscriptionEntity, { organizationId }),
  )
  return stored?.customerId ?? null
}
