import { z } from 'zod'

const MiB = 1_048_576

export const PlanTier = z
  .enum(['free', 'starter', 'growth', 'pro'])
  .meta({ id: 'PlanTier', description: 'A plan.' })
export type PlanTier = z.infer<typeof PlanTier>

/**
 * What each plan allows and costs (interface, section 8). MB is 1,048,576 bytes (decision 2.3); retention is
 * decision 2.13; a plan without overage is blocked when its documents are used up.
 */
export const plans = {
  free: {
    monthlyDocuments: 100,
    maxFileBytes: 5 * MiB,
    concurrentJobs: 1,
    pricePerMonthUsd: 0,
    overagePerDocumentUsd: null,
    retentionDays: 7,
  },
  starter: {
    monthlyDocuments: 10_000,
    maxFileBytes: 25 * MiB,
    concurrentJobs: 5,
    pricePerMonthUsd: 99,
    overagePerDocumentUsd: 0.01,
    retentionDays: 30,
  },
  growth: {
    monthlyDocuments: 50_000,
    maxFileBytes: 50 * MiB,
    concurrentJobs: 10,
    pricePerMonthUsd: 249,
    overagePerDocumentUsd: 0.005,
    retentionDays: 90,
  },
  pro: {
    monthlyDocuments: 200_000,
    maxFileBytes: 100 * MiB,
    concurrentJobs: 20,
    pricePerMonthUsd: 499,
    overagePerDocumentUsd: 0.003,
    retentionDays: 365,
  },
} as const satisfies Record<PlanTier, Plan>

/** Twelve months are paid with ten when billed by the year. */
export const monthsPaidPerYear = 10

export interface Plan {
  readonly monthlyDocuments: number
  readonly maxFileBytes: number
  /** Documents IN_PROGRESS at the same time, over all processes. */
  readonly concurrentJobs: number
  readonly pricePerMonthUsd: number
  /** null: no document beyond the quota (402). */
  readonly overagePerDocumentUsd: number | null
  /** Days that originals, artifacts and reports are kept. */
  readonly retentionDays: number
}

export const PaidPlanTier = PlanTier.exclude(['free']).meta({
  id: 'PaidPlanTier',
  description: 'The plans that can be bought.',
})
export type PaidPlanTier = z.infer<typeof PaidPlanTier>
