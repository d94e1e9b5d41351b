import { ConnectionError } from '../error/connection-error.ts'
import type { PdfnormError } from '../error/pdfnorm-error.ts'

/**
 * Whether a request may be sent again: `always` when the service takes a repetition for the same request, `unprocessed`
 * only when it says that it has not begun, `never` when the body is gone.
 */
export type Repeat = 'always' | 'unprocessed' | 'never'

/** Longer than this nobody waits inside a call: the error says when to come back. */
const longestWaitSeconds = 60
const longestBackoffMs = 8_000

export function isWorthRepeating(error: PdfnormError, repeat: Repeat): boolean {
  if (repeat === 'never' || (error.retryAfter ?? 0) > longestWaitSeconds) return false
  if (error.status === 429 || error.status === 503) return true
  if (repeat === 'unprocessed') return false
  if (error instanceof ConnectionError) return true
  return error.status === 408 || ((error.status ?? 0) >= 500 && error.status !== 501)
}

/** What the service asks for, else exponential backoff with up to a quarter less, so that clients spread. */
export function retryDelayMs(error: PdfnormError, retries: number, firstDelayMs: number): number {
  if (error.retryAfter !== null) return error.retryAfter * 1000
  const backoff = Math.min(longestBackoffMs, firstDelayMs * 2 ** retries)
  return backoff * (1 - Math.random() / 4)
}
