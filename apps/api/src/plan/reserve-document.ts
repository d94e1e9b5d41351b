import type { EntityManager } from '@mikro-orm/postgresql'
import { type Plan, plans, PlanTier } from '@pdfnorm/contracts/schema/plan'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { CallingOrganization } from '../caller.ts'
import type { Platform } from '../platform.ts'
import { type QuotaCycle, quotaCycleOf } from './quota.ts'

/**
 * Counts a submission and takes its document off the organization's quota, in the transaction of `em`: whoever comes at
 * the same time waits for its end, so that the last document goes to exactly one (decision 2.7).
 *
 * @returns the cycle that it was taken off, for giving it back
 */
export async function reserveDocument(
  { queue }: Pick<Platform, 'queue'>,
  em: EntityManager,
  organization: Pick<CallingOrganization, 'id' | 'createdAt' | 'quotaCountsFrom' | 'planTier'>,
  now: Date,
): Promise<QuotaCycle | Refusal<'QUOTA_EXCEEDED'>> {
  const cycle = quotaCycleOf(organization, now)
  const plan: Plan = plans[organization.planTier]
  // A plan with a price for further documents has no end.
  const limit = plan.overagePerDocumentUsd === null ? plan.monthlyDocuments : null

  const taken = await em.execute<Taken[]>(
    `insert into document_usage (organization_id, cycle_starts_at, documents, submissions, plan_tier)
     values (?, ?, 1, 1, ?)
     on conflict (organization_id, cycle_starts_at) do update
       set documents = document_usage.documents + 1, submissions = document_usage.submissions + 1,
           plan_tier = case when ${rankOf('document_usage.plan_tier')} > ${rankOf('excluded.plan_tier')}
                       then document_usage.plan_tier else excluded.plan_tier end
       where document_usage.documents < coalesce(?::integer, 2147483647)
     returning documents, plan_tier as "planTier", overage_due as "overageDue"`,
    [organization.id, cycle.startsAt, organization.planTier, limit],
  )
  const [row] = taken
  if (row !== undefined) {
    await orderOverage(queue, em, { organizationId: organization.id, cycle, now }, row)
    return cycle
  }

  return new Refusal(
    'QUOTA_EXCEEDED',
    `All ${plan.monthlyDocuments} documents of the plan ${organization.planTier} are used; the next ` +
      `cycle starts at ${cycle.endsAt.toISOString()}. A larger plan takes effect at once.`,
  )
}

interface Taken {
  documents: number
  planTier: PlanTier
  overageDue: boolean
}

/** SQL for the place of a plan among the plans, smallest first; null for none. */
function rankOf(column: string): string {
  return `array_position(array['${PlanTier.options.join("','")}'], ${column})`
}

/** The first document beyond the quota of a cycle orders the job that charges for all of them when it has ended. */
async function orderOverage(
  queue: Platform['queue'],
  em: EntityManager,
  { organizationId, cycle, now }: { organizationId: string; cycle: QuotaCycle; now: Date },
  { documents, planTier, overageDue }: Taken,
): Promise<void> {
  if (overageDue || documents <= plans[planTier].monthlyDocuments) return
  await em.execute(
    'update document_usage set overage_due = true where organization_id = ? and cycle_starts_at = ?',
    [organizationId, cycle.startsAt],
  )
  const payload = { organizationId, cycleStartsAt: cycle.startsAt.toISOString() }
  const startAfterSeconds =
    Math.ceil((cycle.endsAt.getTime() - now.getTime()) / 1000) + settledAfterSeconds
  await queue.send(em, 'bill-overage', payload, null, { startAfterSeconds })
}

/** By then every document of the cycle has ended, and those without success have been given back. */
const settledAfterSeconds = 6 * 60 * 60
