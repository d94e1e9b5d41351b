import { z } from 'zod'
import { IsoDateTime } from './identifier.ts'
import { SubmissionCounts } from './statistics.ts'

/** How far back the history goes. */
export const historyCycles = 12
export const historyDays = 30

/** What was submitted lately, for charts. Of the portal; not of the interface. */
export const UsageHistory = z.object({
  /** The cycle of the quota that runs now. */
  cycle: z.object({ startsAt: IsoDateTime, endsAt: IsoDateTime }),
  /** Those in which something was submitted, the oldest first, at most {@link historyCycles}. */
  cycles: z.array(SubmissionCounts.extend({ startsAt: IsoDateTime })),
  /** The last {@link historyDays} days in UTC that have any, the oldest first, by when a submission was accepted. */
  days: z.array(SubmissionCounts.extend({ day: z.iso.date() })),
})
export type UsageHistory = z.infer<typeof UsageHistory>
