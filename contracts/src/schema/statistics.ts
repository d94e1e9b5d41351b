import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'
import { limits } from './limit.ts'
import { SubmissionStatus } from './submission.ts'

export const SubmissionCounts = z
  .object({
    total: z
      .int()
      .nonnegative()
      .meta({ description: 'All that were accepted, also those that have not ended.' }),
    success: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    rejected: z.int().nonnegative(),
  })
  .meta({
    id: 'SubmissionCounts',
    description: 'How many submissions were accepted, and how they ended.',
  })
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
    currentMonth: SubmissionCounts.meta({
      description: 'Those that were accepted in the current cycle of the quota.',
    }),
    planLimit: z
      .int()
      .nonnegative()
      .meta({ description: 'Documents that the plan has for each cycle.' }),
    usedThisMonth: z.int().nonnegative().meta({
      description:
        'Documents of the current cycle that are used, or reserved by what has not ended.',
    }),
    usageLimitPercent: z.number().nonnegative().meta({
      description: 'usedThisMonth of planLimit, with two decimals; may pass 100.',
    }),
    averageProcessingMs: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Over all successes; null before the first.' }),
    recentSubmissions: z
      .array(RecentSubmission)
      .max(limits.recentSubmissions)
      .meta({ description: 'Most recent first.' }),
  })
  .meta({ id: 'Statistics', description: 'What the organization has submitted.' })
export type Statistics = z.infer<typeof Statistics>
