import type { Submission } from './generated/types.ts'
import { PdfnormError } from './problem-error.ts'
import { type SendOptions, waitFor } from './send.ts'

export interface WaitOptions extends SendOptions {
  /** Milliseconds after which nobody waits any longer; the submission itself goes on. Default: 10 minutes. */
  readonly deadlineMs?: number
  /** Milliseconds between the first two looks; later ones are further apart. Default: 500. */
  readonly pollMs?: number
}

const tenMinutesMs = 600_000
const firstPollMs = 500
const longestPollMs = 5_000
const growth = 1.5

/**
 * Looks at a submission until it has ended: SUCCESS, FAILED or REJECTED.
 *
 * @param firstLookMs what the service asked to wait before the first look
 * @throws {PdfnormError} TIMED_OUT as soon as the next look would be after the deadline
 */
export async function waitForSubmission(
  read: () => Promise<Submission>,
  { deadlineMs = tenMinutesMs, pollMs = firstPollMs, signal }: WaitOptions,
  firstLookMs: number,
): Promise<Submission> {
  const deadline = Date.now() + deadlineMs
  await waitWithin(deadline, firstLookMs, signal)
  for (let delayMs = pollMs; ; delayMs = Math.min(longestPollMs, delayMs * growth)) {
    const submission = await read()
    if (submission.status !== 'PENDING' && submission.status !== 'IN_PROGRESS') return submission
    await waitWithin(deadline, delayMs, signal)
  }
}

async function waitWithin(deadline: number, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (Date.now() + delayMs > deadline) {
    throw new PdfnormError('TIMED_OUT', 'The submission has not ended before the deadline')
  }
  if (delayMs > 0) await waitFor(delayMs, signal)
}
