import type { EntityManager } from '@mikro-orm/postgresql'
import { type Plan, plans } from '@pdfnorm/contracts/schema/plan'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { CallingOrganization } from '../caller.ts'
import { type QuotaCycle, quotaCycleOf } from './quota.ts'

/**
 * Counts a submission and takes its document off the organization's quota, in the transaction of `em`: whoever comes at the same time waits
 * for its end, so that the last document goes to exactly one (decision 2.7).
 *
 * @returns the cycle that it was taken off, for giving it back
 */
export async function reserveDocument(
  em: EntityManager,
  organization: Pick<CallingOrganization, 'id' | 'createdAt' | 'quotaCountsFrom' | 'planTier'>,
  now: Date,
): Promise<QuotaCycle | Refusal<'QUOTA_EXCEEDED'>> {
  const cycle = quotaCycleOf(organization, now)
  const plan: Plan = plans[organization.planTier]
  // A plan with a price for further documents has no end.
  const limit = plan.overagePerDocumentUsd === null ? plan.monthlyDocuments : null

  const taken = await em.execute<{ documents: number }[]>(
    `insert into document_usage (organization_id, cycle_starts_at, documents, submissions) values (?, ?, 1, 1)
     on conflict (organization_id, cycle_starts_at) do update
       set documents = document_usage.documents + 1, submissions = document_usage.submissions + 1
       where document_usage.documents < coalesce(?::integer, 2147483647)
     returning documents`,
    [organization.id, cycle.startsAt, limit],
  )
  if (taken.length > 0) return cycle

  return new Refusal(
    'QUOTA_EXCEEDED',
    `All ${plan.monthlyDocuments} documents of the plan ${organization.planTier} are used; the next ` +
      `cycle starts at ${cycle.endsAt.toISOString()}. A larger plan takes effect at once.`,
  )
}
