import type { EntityManager } from '@mikro-orm/postgresql'
import type {
  CheckoutSession,
  CreateCheckoutSessionRequest,
} from '@pdfnorm/contracts/schema/billing'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { type FieldFault, Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { isProcessorAway, type PaymentProcessor } from './payment-processor.ts'
import { noPayments, processorAway } from './processor-refusals.ts'
import { SubscriptionEntity } from './subscription.ts'

/**
 * POST /api/billing/checkout-session. The organization stays locked meanwhile: of two that ask at once the second
 * closes the page of the first. The processor is asked whether there is a subscription, for its event may be under way.
 */
export async function startCheckout(
  { orm, config, log, payments }: Pick<Platform, 'orm' | 'config' | 'log' | 'payments'>,
  caller: MemberCaller,
  request: CreateCheckoutSessionRequest,
): Promise<
  | CheckoutSession
  | Refusal<
      | 'SUBSCRIPTION_EXISTS'
      | 'VALIDATION_ERROR'
      | 'UNAVAILABLE'
      | 'ORGANIZATION_INACTIVE'
      | 'INSUFFICIENT_ROLE'
      | 'INVALID_ACCESS_TOKEN'
    >
> {
  if (payments === null) return noPayments()
  const plain = config.environment === 'production' ? plainUrls(request) : []
  if (plain.length > 0) {
    return new Refusal('VALIDATION_ERROR', 'A checkout page leads back by https only.', {
      errors: plain,
    })
  }
  try {
    return await changeAsMember(orm, caller, leastRole.buyPlan, async (em, { id }) => {
      const customerId = await customerOf(em, payments, id)
      if ((await payments.subscriptionsOf(customerId)).length > 0) {
        return new Refusal(
          'SUBSCRIPTION_EXISTS',
          'The organization has a subscription. Change that one instead of buying another.',
        )
      }
      return { url: await payments.openCheckout(customerId, request) }
    })
  } catch (error) {
    if (!isProcessorAway(error)) throw error
    log.warn({ err: error }, 'the payment processor does not answer')
    return processorAway()
  }
}

function plainUrls(request: CreateCheckoutSessionRequest): FieldFault[] {
  return (['successUrl', 'cancelUrl'] as const)
    .filter((field) => new URL(request[field]).protocol !== 'https:')
    .map((field) => ({ location: `body.${field}`, code: 'invalid_format', message: 'Use https.' }))
}

async function customerOf(
  em: EntityManager,
  payments: PaymentProcessor,
  organizationId: string,
): Promise<string> {
  const stored = await em.findOne(SubscriptionEntity, { organizationId })
  if (stored !== null) return stored.customerId
  const customerId = await payments.createCustomer(organizationId)
  em.create(SubscriptionEntity, { organizationId, customerId, cancelsAtPeriodEnd: false })
  await em.flush()
  return customerId
}
