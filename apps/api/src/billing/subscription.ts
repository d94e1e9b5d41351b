import { defineEntity, p } from '@mikro-orm/core'
import type { BillingInterval } from '@pdfnorm/contracts/schema/billing'

/**
 * What the payment processor knows of an organization, since it first asked for a checkout page. Written only from what
 * the processor answers (billing/follow-subscription.ts).
 */
export const SubscriptionEntity = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  properties: {
    organizationId: p.uuid().primary(),
    customerId: p.text(),
    /** This and the three after it are null together: there is no subscription that has not ended. */
    subscriptionId: p.text().nullable(),
    /** The processor's word. */
    status: p.text().nullable(),
    billingInterval: p.text().$type<BillingInterval>().nullable(),
    currentPeriodEndsAt: p.datetime(3).nullable(),
    cancelsAtPeriodEnd: p.boolean(),
    /** How often the processor was asked, and which of its answers is written here. */
    lastAsked: p.integer().default(0),
    lastAnswered: p.integer().default(0),
  },
})
