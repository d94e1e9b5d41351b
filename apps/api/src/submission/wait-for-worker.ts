import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import type { AcceptRequest } from './accept-request.ts'
import type { Endings } from './endings.ts'
import { goOnInBackground, waitMsOf } from './run-while-waiting.ts'
import { type Submission, SubmissionEntity } from './submission.ts'

/** A look at the submission without having heard of its end: the notification may have been lost. */
const backStopMs = 1000

/**
 * Waits until a worker has ended the submission, or until the caller has waited long enough: for processes that have no
 * workers of their own.
 *
 * @returns the submission as it is then
 */
export async function waitForWorker(
  platform: Pick<Platform, 'orm' | 'config'> & { endings: Endings },
  organization: CallingOrganization,
  request: AcceptRequest,
  { id }: Pick<Submission, 'id'>,
): Promise<Submission> {
  const until = performance.now() + waitMsOf(platform, request)
  using ending = platform.endings.watch(id)
  for (;;) {
    const submission = await withOrganization(platform.orm, organization.id, (em) =>
      em.findOneOrFail(SubmissionEntity, { id }),
    )
    if (isTerminal(submission.status)) return submission
    const leftMs = until - performance.now()
    if (leftMs <= 0) return goOnInBackground(platform, organization, id)
    await ending.heard(Math.min(leftMs, backStopMs))
  }
}
