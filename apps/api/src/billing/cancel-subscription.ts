import { withOrganization } from '../database/transaction.ts'
import type { Organization } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { receivePaymentEvent } from './receive-payment-event.ts'
import { SubscriptionEntity } from './subscription.ts'

/**
 * Ends what an organization pays for, at once, also a checkout page that is open. The plan follows when the processor's
 * event tells of it; what the running month used beyond its plan is still charged after its end.
 *
 * @throws an error of the processor that does not answer; to be tried again
 */
export async function cancelSubscription(
  platform: Pick<Platform, 'orm' | 'log' | 'queue' | 'payments'>,
  organization: Pick<Organization, 'id'>,
): Promise<void> {
  const { orm, payments } = platform
  if (payments === null) return
  const organizationId = organization.id
  const known = await withOrganization(orm, organizationId, (em) =>
    em.findOne(SubscriptionEntity, { organizationId }),
  )
  if (known === null || !(await payments.hasCustomer(known.customerId))) return
  // First the pages: what is paid on one until then is a subscription after that.
  await payments.closeCheckouts(known.customerId)
  await payments.cancelSubscriptions(known.customerId)
  if (payments.test === null) return
  const { payload, signature } = payments.test.eventOf(known.customerId)
  await receivePaymentEvent(platform, payload, signature)
}
