import type { CreatePortalSessionRequest, PortalSession } from '@pdfnorm/contracts/schema/billing'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { askProcessor, noPayments } from './processor-refusals.ts'
import { plainUrls } from './return-url.ts'
import { SubscriptionEntity } from './subscription.ts'

/** POST /api/billing/portal-session: for who is, or has been, a customer. */
export async function openPortal(
  platform: Pick<Platform, 'orm' | 'config' | 'log' | 'payments'>,
  caller: MemberCaller,
  { returnUrl }: CreatePortalSessionRequest,
): Promise<
  PortalSession | Refusal<'NOT_FOUND' | 'VALIDATION_ERROR' | 'UNAVAILABLE'> | ChangeRefusal
> {
  const { orm, config, payments } = platform
  if (payments === null) return noPayments()
  const plain = plainUrls(config, { returnUrl })
  if (plain) return plain
  const organizationId = caller.organization.id
  const known = await changeAsMember(orm, caller, leastRole.buyPlan, (em) =>
    em.findOne(SubscriptionEntity, { organizationId }),
  )
  if (known instanceof Refusal) return known
  return askProcessor(platform, async () => {
    if (known === null || !(await payments.hasCustomer(known.customerId))) {
      return new Refusal('NOT_FOUND', 'The organization has bought nothing yet.')
    }
    return { url: await payments.openPortal(known.customerId, returnUrl) }
  })
}
