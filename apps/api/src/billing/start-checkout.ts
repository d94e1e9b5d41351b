import type {
  CheckoutSession,
  CreateCheckoutSessionRequest,
} from '@pdfnorm/contracts/schema/billing'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { customerOf } from './customer.ts'
import type { PaymentProcessor } from './payment-processor.ts'
import { askProcessor, noPayments } from './processor-refusals.ts'
import { plainUrls } from './return-url.ts'

type CheckoutPlatform = Pick<Platform, 'orm' | 'config' | 'log' | 'payments' | 'queue'>

/** POST /api/billing/checkout-session. */
export async function startCheckout(
  platform: CheckoutPlatform,
  caller: MemberCaller,
  request: CreateCheckoutSessionRequest,
): Promise<
  | CheckoutSession
  | Refusal<'SUBSCRIPTION_EXISTS' | 'VALIDATION_ERROR' | 'UNAVAILABLE'>
  | ChangeRefusal
> {
  const { config, payments } = platform
  if (payments === null) return noPayments()
  const { successUrl, cancelUrl } = request
  const plain = plainUrls(config, { successUrl, cancelUrl })
  if (plain) return plain
  return askProcessor(platform, () => openPage(platform, payments, caller, request))
}

/**
 * No lock is held while the processor answers. So what let the page be opened is asked again when it is open: whoever
 * pays on a former page, or deactivates the organization, in the meantime finds this one closed.
 */
async function openPage(
  platform: CheckoutPlatform,
  payments: PaymentProcessor,
  caller: MemberCaller,
  request: CreateCheckoutSessionRequest,
): Promise<CheckoutSession | Refusal<'SUBSCRIPTION_EXISTS'> | ChangeRefusal> {
  const refused = await refusalOfCaller(platform, caller)
  if (refused) return refused
  const customerId = await customerOf(platform, payments, caller.organization.id)
  const subscribed = await refusalOfSubscriber(payments, customerId)
  if (subscribed) return subscribed

  const url = await payments.openCheckout(customerId, request)
  const late =
    (await refusalOfSubscriber(payments, customerId)) ?? (await refusalOfCaller(platform, caller))
  if (late === null) return { url }
  await payments.closeCheckouts(customerId)
  return late
}

async function refusalOfCaller(
  { orm }: Pick<Platform, 'orm'>,
  caller: MemberCaller,
): Promise<ChangeRefusal | null> {
  return changeAsMember(orm, caller, leastRole.buyPlan, () => Promise.resolve(null))
}

/** The processor is asked, for its event may be under way. */
async function refusalOfSubscriber(
  payments: PaymentProcessor,
  customerId: string,
): Promise<Refusal<'SUBSCRIPTION_EXISTS'> | null> {
  if ((await payments.subscriptionsOf(customerId)).length === 0) return null
  return new Refusal(
    'SUBSCRIPTION_EXISTS',
    'The organization has a subscription. Change that one instead of buying another.',
  )
}
