import { plans } from '@pdfnorm/contracts/schema/plan'
import { limits } from '@pdfnorm/contracts/schema/limit'
import type {
  RecentSubmission,
  Statistics,
  SubmissionCounts,
} from '@pdfnorm/contracts/schema/statistics'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import {
  type DocumentUsage,
  DocumentUsageEntity,
  quotaCycleOf,
  usagePercent,
} from '../plan/quota.ts'
import type { Platform } from '../platform.ts'
import { type Submission, SubmissionEntity } from '../submission/submission.ts'

/** GET /api/portal/stats: from the ledger, a row for each cycle, and the newest submissions by their index. */
export async function organizationStatistics(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  { organization }: MemberCaller,
): Promise<Statistics> {
  const { ledger, recent } = await withOrganization(orm, organization.id, async (em) => ({
    ledger: await em.findAll(DocumentUsageEntity),
    recent: await em.findAll(SubmissionEntity, {
      fields: ['id', 'status', 'createdAt', 'completedAt'],
      where: { organizationId: organization.id },
      orderBy: { createdAt: 'desc', id: 'desc' },
      limit: limits.recentSubmissions,
    }),
  }))

  const { startsAt } = quotaCycleOf(organization, clock.now())
  const current = ledger.filter(({ cycleStartsAt }) => +cycleStartsAt === +startsAt)
  const plan = plans[organization.planTier]
  const usedThisMonth = sum(current, 'documents')
  return {
    allTime: countsOf(ledger),
    currentMonth: countsOf(current),
    planLimit: plan.monthlyDocuments,
    usedThisMonth,
    usageLimitPercent: usagePercent(usedThisMonth, plan),
    averageProcessingMs: averageProcessingMs(ledger),
    recentSubmissions: recent.map(recentSubmission),
  }
}

function countsOf(ledger: readonly DocumentUsage[]): SubmissionCounts {
  return {
    total: sum(ledger, 'submissions'),
    success: sum(ledger, 'success'),
    failed: sum(ledger, 'failed'),
    rejected: sum(ledger, 'rejected'),
  }
}

function averageProcessingMs(ledger: readonly DocumentUsage[]): number | null {
  const successes = sum(ledger, 'success')
  return successes === 0 ? null : Math.round(sum(ledger, 'successProcessingMs') / successes)
}

type Counter =
  | 'documents'
  | 'submissions'
  | 'success'
  | 'failed'
  | 'rejected'
  | 'successProcessingMs'

function sum(ledger: readonly DocumentUsage[], counter: Counter): number {
  return ledger.reduce((total, cycle) => total + cycle[counter], 0)
}

function recentSubmission({
  id,
  status,
  createdAt,
  completedAt,
}: Pick<Submission, 'id' | 'status' | 'createdAt' | 'completedAt'>): RecentSubmission {
  return {
    submissionId: id,
    status,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}
