import { TimeoutError } from './error/connection-error.ts'
import type { FailureInfo, OutputHash, Submission } from './generated/types.ts'
import { waitFor } from './request/wait-for.ts'
import type { SendOptions } from './request/send.ts'

export interface WaitOptions extends SendOptions {
  /** Milliseconds after which nobody waits any longer; the submission itself goes on. Default: 10 minutes. */
  readonly deadlineMs?: number | undefined
  /** Milliseconds between the first two looks; later ones are further apart. Default: 500. */
  readonly pollMs?: number | undefined
  /** Called with what each look finds. */
  readonly onLook?: ((submission: Submission) => void) | undefined
}

/** A submission that has a normalized file. */
export interface SucceededSubmission extends Submission {
  status: 'SUCCESS'
  completedAt: string
  outputHash: OutputHash
  outputSizeBytes: number
  downloadUrl: string
}

/** A submission that has none: a policy refused the document, or it could not be normalized. */
export interface FailedSubmission extends Submission {
  status: 'FAILED' | 'REJECTED'
  completedAt: null
  outputHash: null
  outputSizeBytes: null
  downloadUrl: null
  failure: FailureInfo
}

export type CompletedSubmission = SucceededSubmission | FailedSubmission

/** What was read, and how many seconds the service asks to wait before the next look. */
export interface Look {
  readonly submission: Submission
  readonly retryAfter: number | null
}

const tenMinutesMs = 600_000
const firstPollMs = 500
const longestPollMs = 5_000
const growth = 1.5

/**
 * Looks at a submission until it has ended: SUCCESS, FAILED or REJECTED.
 *
 * @param firstLookMs what the service asked to wait before the first look
 * @throws {TimeoutError} TIMED_OUT as soon as the next look would be after the deadline
 */
export async function waitForCompletion(
  look: () => Promise<Look>,
  { deadlineMs = tenMinutesMs, pollMs = firstPollMs, signal, onLook }: WaitOptions,
  firstLookMs: number,
): Promise<CompletedSubmission> {
  const deadline = Date.now() + deadlineMs
  await waitWithin(deadline, firstLookMs, signal)
  for (let delayMs = pollMs; ; delayMs = Math.min(longestPollMs, delayMs * growth)) {
    const { submission, retryAfter } = await look()
    onLook?.(submission)
    if (isCompleted(submission)) return submission
    await waitWithin(deadline, Math.max(delayMs, (retryAfter ?? 0) * 1000), signal)
  }
}

/** The service promises what each terminal status has (decision 2.11). */
function isCompleted(submission: Submission): submission is CompletedSubmission {
  return submission.status !== 'PENDING' && submission.status !== 'IN_PROGRESS'
}

async function waitWithin(deadline: number, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (Date.now() + delayMs > deadline) {
    throw new TimeoutError('TIMED_OUT', 'The submission has not ended before the deadline')
  }
  if (delayMs > 0) await waitFor(delayMs, signal)
}
