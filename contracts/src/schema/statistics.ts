import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'
import { SubmissionStatus } from './submission.ts'

export const SubmissionCounts = z
  .object({
    total: z.int().nonnegative(),
    success: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    rejected: z.int().nonnegative(),
  })
  .meta({ id: 'SubmissionCounts', description: 'How many submissions have ended in which way.' })
export type SubmissionCounts = z.infer<typeof SubmissionCounts>

export const RecentSubmission = z
  .object({
    submissionId: Uuid,
    status: SubmissionStatus,
    createdAt: IsoDateTime,
    completedAt: IsoDateTime.nullable(),
  })
  .meta({ id: 'RecentSubmission', description: 'A submission in brief.' })
export type RecentSubmission = z.infer<typeof RecentSubmission>

/** Interface, section 2.10. */
export const Statistics = z
  .object({
    allTime: SubmissionCounts,
    currentMonth: SubmissionCounts,
    planLimit: z.int().nonnegative(),
    usedThisMonth: z.int().nonnegative(),
    usageLimitPercent: z.number().nonnegative(),
    averageProcessingMs: z.int().nonnegative().nullable().meta({ description: 'null: no data.' }),
    recentSubmissions: z.array(RecentSubmission).meta({ description: 'Most recent first.' }),
  })
  .meta({ id: 'Statistics', description: 'What the organization has submitted.' })
export type Statistics = z.infer<typeof Statistics>
