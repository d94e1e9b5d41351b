import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Plan, PlanTier } from '@pdfnorm/contracts/schema/plan'

/**
 * The ledger of one cycle of an organization's quota. A submission is counted in the cycle in which it was accepted,
 * also when it ends in a later one. It outlives what it counts.
 */
export const DocumentUsageEntity = defineEntity({
  name: 'DocumentUsage',
  tableName: 'document_usage',
  properties: {
    organizationId: p.uuid().primary(),
    cycleStartsAt: p.datetime(3).primary(),
    /** Taken off the quota: used by a success, or reserved by a submission that has not ended. */
    documents: p.integer(),
    /** All that were accepted; those that are in none of the three have not ended. */
    submissions: p.integer(),
    success: p.integer(),
    failed: p.integer(),
    rejected: p.integer(),
    /** What the successes took together, in milliseconds. */
    successProcessingMs: p.bigint('number'),
    /** The largest plan under which a document of the cycle was accepted: its quota and its price hold for all. */
    planTier: p.text().$type<PlanTier>().nullable(),
    /** Whether the job that charges the overage has been sent. */
    overageDue: p.boolean(),
    overageBilledAt: p.datetime(3).nullable(),
  },
})
export type DocumentUsage = InferEntity<typeof DocumentUsageEntity>

/** A month of quota: from `startsAt` until just before `endsAt`. */
export interface QuotaCycle {
  readonly startsAt: Date
  readonly endsAt: Date
}

/**
 * The cycle of an organization that holds a moment: months counted from its registration or, on a paid plan, from where
 * the processor counts the periods of its subscription (decision 2.7). A subscription by the year has a quota for each
 * month of it. Because the months are counted here, a cycle begins in time also when the processor tells of it late.
 */
export function quotaCycleOf(
  { quotaCountsFrom, createdAt }: { quotaCountsFrom?: Date | null | undefined; createdAt: Date },
  now: Date,
): QuotaCycle {
  return quotaCycle(quotaCountsFrom ?? createdAt, now)
}

/**
 * The month that holds a moment, counted from another. Where a month lacks the day of that, its cycle begins on its
 * last day; all in UTC.
 */
export function quotaCycle(countsFrom: Date, now: Date): QuotaCycle {
  const months = wholeMonthsBetween(countsFrom, now)
  return { startsAt: addMonths(countsFrom, months), endsAt: addMonths(countsFrom, months + 1) }
}

/** How much of a plan's documents is used, in percent with two decimals; beyond 100 where the plan goes on. */
export function usagePercent(documents: number, { monthlyDocuments }: Plan): number {
  return Math.round((documents / monthlyDocuments) * 10_000) / 100
}

function wholeMonthsBetween(from: Date, to: Date): number {
  const calendarMonths =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  return addMonths(from, calendarMonths) <= to ? calendarMonths : calendarMonths - 1
}

function addMonths(from: Date, months: number): Date {
  const month = from.getUTCMonth() + months
  // Day 0 of the following month is the last one of this.
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const to = new Date(from)
  to.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay))
  return to
}
