/** When a new key ends, as somebody chooses it; `day`: on a day of their own. */
export const expiries = [
  { value: 'never', label: 'Never', days: null },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In a year', days: 365 },
  { value: 'day', label: 'On a day that I choose', days: null },
] as const

export type Expiry = (typeof expiries)[number]['value']

/**
 * The moment that the interface takes; null: never.
 *
 * @param day as a date field has it (`2027-01-31`): the key works until its end in the time zone of this browser
 */
export function expiresAtOf(expiry: Expiry, day: string, now: Date): string | null {
  const days = expiries.find(({ value }) => value === expiry)?.days ?? null
  const at = new Date(now)
  if (days !== null) {
    at.setDate(at.getDate() + days)
    return at.toISOString()
  }
  if (expiry !== 'day') return null
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  at.setFullYear(year, month - 1, date)
  at.setHours(23, 59, 59, 0)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
