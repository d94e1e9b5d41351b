import { type Plan, type PlanTier, plans } from '@pdfnorm/contracts/schema/plan'

/** What a cycle used beyond its plan, and what that costs. */
export interface CycleOverage {
  documents: number
  perDocumentUsd: number
  /** Rounded over all of them: one may cost less than a cent. */
  cents: number
}

/**
 * null: nothing is to be charged.
 *
 * @param tier the largest plan under which a document of the cycle was accepted; null: none was
 */
export function cycleOverage(documents: number, tier: PlanTier | null): CycleOverage | null {
  if (tier === null) return null
  const { monthlyDocuments, overagePerDocumentUsd }: Plan = plans[tier]
  const beyond = documents - monthlyDocuments
  if (beyond <= 0 || overagePerDocumentUsd === null) return null
  return {
    documents: beyond,
    perDocumentUsd: overagePerDocumentUsd,
    cents: Math.round(beyond * overagePerDocumentUsd * 100),
  }
}
