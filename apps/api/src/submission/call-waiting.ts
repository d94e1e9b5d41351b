import type { EntityManager } from '@mikro-orm/postgresql'
import { plans } from '@pdfnorm/contracts/schema/plan'
import type { CallingOrganization } from '../caller.ts'
import type { JobOrigin } from '../job-origin.ts'
import type { Platform } from '../platform.ts'
import { lockStarts } from './submission.ts'

/**
 * Sends jobs for the organization's submissions that wait longest, as many as it has slots free, in the transaction
 * of `em`. Whoever accepts a submission or ends one calls: so there is always a job where there is a free slot, and
 * never more jobs of an organization in the queue than it may run, however many of its submissions wait.
 */
export async function callWaiting(
  { queue }: Pick<Platform, 'queue'>,
  em: EntityManager,
  organization: Pick<CallingOrganization, 'id' | 'schemaName' | 'planTier'>,
): Promise<void> {
  await lockStarts(em, organization.id)
  // A row that is locked is being started or ended, and its turn is decided there.
  const called = await em.execute<{ id: string; origin: JobOrigin | null }[]>(
    `with holding as (
       select count(*)::int as slots from submission
       where organization_id = ? and (status = 'IN_PROGRESS' or called)
     ), next as materialized (
       select id from submission
       where organization_id = ? and status = 'PENDING' and not called
       order by created_at, id
       limit (select greatest(0, ?::int - slots) from holding)
       for update skip locked
     )
     update submission set called = true
     where organization_id = ? and id = any (array(select id from next))
     returning id, origin`,
    [
      organization.id,
      organization.id,
      plans[organization.planTier].concurrentJobs,
      organization.id,
    ],
  )
  for (const { id: submissionId, origin } of called) {
    const job = { organizationId: organization.id, submissionId }
    await queue.send(em, 'normalize-submission', job, organization, { origin: origin ?? {} })
  }
}
