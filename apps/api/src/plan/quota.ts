import { defineEntity, p } from '@mikro-orm/core'

/** How many documents an organization has used, or has reserved, in one cycle of its quota. */
export const DocumentUsageEntity = defineEntity({
  name: 'DocumentUsage',
  tableName: 'document_usage',
  properties: {
    organizationId: p.uuid().primary(),
    cycleStartsAt: p.datetime(3).primary(),
    documents: p.integer(),
  },
})

/** A month of quota: from `startsAt` until just before `endsAt`. */
export interface QuotaCycle {
  readonly startsAt: Date
  readonly endsAt: Date
}

/**
 * The cycle that holds a moment: months counted from the registration (decision 2.7). Where a month lacks the
 * registration's day, its cycle begins on its last day; all in UTC.
 */
export function quotaCycle(registeredAt: Date, now: Date): QuotaCycle {
  const months = wholeMonthsBetween(registeredAt, now)
  return { startsAt: addMonths(registeredAt, months), endsAt: addMonths(registeredAt, months + 1) }
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
