/**
 * The seconds that a Retry-After header asks for (RFC 9110, section 10.2.3): a number, or a date that is still to come.
 *
 * @returns whole seconds, at most a day; null without a header that can be read
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestSeconds)
  // RFC 9110, section 5.6.7: every form but the oldest, which names no time zone, ends so.
  if (!/^\w+, .* GMT$/.test(text)) return null
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestSeconds)
}

const longestSeconds = 24 * 60 * 60
