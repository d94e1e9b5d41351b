import { z } from 'zod'
import { PlanTier } from './plan.ts'

/** What comes to the organization's bill beside its plan. Of the portal; not of the interface. */
export const Charges = z.object({
  /** The plan whose documents and whose price hold for the cycle: the largest under which it was used. */
  planTier: PlanTier,
  /** What goes beyond it, as it would be charged now; null: nothing. */
  overage: z
    .object({
      documents: z.int().positive(),
      perDocumentUsd: z.number().positive(),
      totalUsd: z.number().nonnegative(),
    })
    .nullable(),
  /** Whether the payment processor has a page for the organization: it has begun to buy a plan at least once. */
  hasCustomer: z.boolean(),
})
export type Charges = z.infer<typeof Charges>
