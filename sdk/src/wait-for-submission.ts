import type { Submission } from './generated/types.ts'
import { PdfnormError } from './problem-error.ts'
import { type SendOptions, waitFor } from './send.ts'

export interface WaitOptions extends SendOptions {
  /** Milliseconds after which nobody waits any longer; the submission itself goes on. Default: 10 minutes. */
  readonly deadlineMs?: number
  /** Milliseconds before the first look, and between the first two; later ones are further apart. */
  readonly pollMs?: number
}

const tenMinutesMs = 600_000
const firstPollMs = 500
const longestPollMs = 5_000
const growth = 1.5

/**
 * Looks at a submission until it has ended: SUCCESS, FAILED or REJECTED.
 *
 * @throws {PdfnormError} TIMED_OUT at the deadline
 */
export async function waitForSubmission(
  read: () => Promise<Submission>,
  { deadlineMs = tenMinutesMs, pollMs = firstPollMs, signal }: WaitOptions,
): Promise<Submission> {
  const deadline = Date.now() + deadlineMs
  for (let delayMs = pollMs; ; delayMs = Math.min(longestPollMs, delayMs * growth)) {
    const submission = await read()
    if (submission.status !== 'PENDING' && submission.status !== 'IN_PROGRESS') return submission
    if (Date.now() + delayMs > deadline) {
      const message = `Submission ${submission.submissionId} has not ended within ${deadlineMs} ms`
      throw new PdfnormError('TIMED_OUT', message)
    }
    await waitFor(delayMs, signal)
  }
}
