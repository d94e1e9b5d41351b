import type { EntityManager } from '@mikro-orm/postgresql'
import type { Outcome } from '@pdfnorm/normalizer/outcome'
import type { CallingOrganization } from '../caller.ts'
import { quotaCycleOf } from './quota.ts'

/** Counts a submission that is rejected when it arrives, in the transaction of `em`: it takes no document. */
export async function countRejectedAtOnce(
  em: EntityManager,
  organization: Pick<CallingOrganization, 'id' | 'createdAt' | 'quotaCountsFrom'>,
  now: Date,
): Promise<void> {
  const { startsAt } = quotaCycleOf(organization, now)
  await em.execute(
    `insert into document_usage (organization_id, cycle_starts_at, documents, submissions, rejected)
     values (?, ?, 0, 1, 1)
     on conflict (organization_id, cycle_starts_at) do update
       set submissions = document_usage.submissions + 1, rejected = document_usage.rejected + 1`,
    [organization.id, startsAt],
  )
}

/**
 * Counts the end of a submission in the transaction of `em`, and gives its document back unless it was a success
 * (decision 2.7).
 *
 * @param taken the cycle that its document was taken off
 */
export async function countEnd(
  em: EntityManager,
  taken: { organizationId: string; cycleStartsAt: Date },
  { kind, processingTimeMs }: Pick<Outcome, 'kind' | 'processingTimeMs'>,
): Promise<void> {
  await em.execute(
    `update document_usage set ${changeOf[kind]} where organization_id = ? and cycle_starts_at = ?`,
    [
      ...(kind === 'normalized' ? [processingTimeMs] : []),
      taken.organizationId,
      taken.cycleStartsAt,
    ],
  )
}

const changeOf = {
  normalized: 'success = success + 1, success_processing_ms = success_processing_ms + ?',
  failed: 'failed = failed + 1, documents = documents - 1',
  rejected: 'rejected = rejected + 1, documents = documents - 1',
} as const satisfies Record<Outcome['kind'], string>
