import type { PlanTier } from '@pdfnorm/contracts/schema/plan'

/** The name of a plan, as it stands in a text. */
export function planName(tier: PlanTier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1)
}
