import type { UsageHistory } from '@pdfnorm/contracts/schema/usage-history'

/** Where the quota's cycle leads if it goes on as it began. */
export interface Forecast {
  /** Documents at the end of the cycle. */
  documents: number
  /** When the quota will be used up; null: not in this cycle. */
  exhaustedAt: Date | null
}

/** Below this share of the cycle its beginning says nothing about its end. */
const leastElapsed = 0.05

/** null: it is too early in the cycle to tell. */
export function forecast(
  { startsAt, endsAt }: UsageHistory['cycle'],
  used: number,
  limit: number,
  now: number,
): Forecast | null {
  const start = Date.parse(startsAt)
  const length = Date.parse(endsAt) - start
  const elapsed = (now - start) / length
  if (elapsed < leastElapsed) return null
  const documents = Math.round(used / Math.min(1, elapsed))
  const exhaustedAt =
    documents > limit && used < limit ? new Date(start + length * ((elapsed * limit) / used)) : null
  return { documents, exhaustedAt }
}
