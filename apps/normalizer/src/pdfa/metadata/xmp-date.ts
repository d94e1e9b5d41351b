/** Whether a date is spelt as XMP spells it, in any of its precisions; nothing at all is a date that is not known. */
export function isXmpDate(text: string): boolean {
  return date.test(text)
}

/**
 * The moment that a date of XMP names, in milliseconds; a date without a zone is taken as UTC. Numbers beyond their
 * range are the last of it. A month or a day that is left out is the one before the first, so that it is equal to none
 * that is named.
 *
 * @returns null when it is no date or names none
 */
export function xmpMoment(text: string): number | null {
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute] =
    date.exec(text) ?? []
  if (year === undefined) return null
  const milliseconds = Date.UTC(
    atMost(9999, year),
    atMost(12, month) - 1,
    atMost(31, day),
    atMost(23, hour),
    atMost(59, minute),
    atMost(59, second),
    Math.floor(Number(`0.${fraction ?? 0}`) * 1000),
  )
  const offset = (atMost(23, zoneHour) * 60 + atMost(59, zoneMinute)) * 60_000
  return milliseconds - (sign === '-' ? -offset : offset)
}

/** XMP Specification, value type Date: a profile of ISO 8601. */
const date =
  /^(?:(-?\d+)(?:-(\d+)(?:-(\d+)(?:T(\d+)(?::(\d+)(?::(\d+)(?:\.(\d+))?)?)?(?:Z|([+-])(\d+)(?::(\d+))?)?)?)?)?)?$/

function atMost(limit: number, digits: string | undefined): number {
  return Math.min(limit, Number(digits ?? 0))
}
