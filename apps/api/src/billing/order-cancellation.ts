import type { EntityManager } from '@mikro-orm/postgresql'
import type { Organization } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'

/** Has the subscription cancelled (billing/cancel-subscription.ts) when, and only when, the transaction of `em` commits. */
export async function orderCancellation(
  queue: Platform['queue'],
  em: EntityManager,
  organization: Pick<Organization, 'id' | 'schemaName' | 'planTier'>,
): Promise<void> {
  await queue.send(em, 'cancel-subscription', { organizationId: organization.id }, organization)
}
