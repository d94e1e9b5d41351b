import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { AcceptingPlatform, AcceptRequest } from './accept-request.ts'
import { runNormalization } from './run-normalization.ts'
import { becomeAsynchronous, type Run, type Submission, SubmissionEntity } from './submission.ts'

/**
 * Runs until the end, or until the caller has waited long enough: then the same run goes on in the background.
 *
 * @returns the submission as it is then
 */
export async function runWhileWaiting(
  platform: AcceptingPlatform,
  organization: CallingOrganization,
  { preference }: AcceptRequest,
  run: Run,
): Promise<Submission> {
  const { syncDeadlineMs } = platform.config
  const waitMs = Math.min(preference.waitMs ?? syncDeadlineMs, syncDeadlineMs)
  const ended = platform.runs.track(
    runNormalization(platform, organization, run).catch((err: unknown) =>
      tryAgain(platform, organization, run, err),
    ),
  )
  const submission = await Promise.race([ended, after(waitMs)])
  if (submission !== null && isTerminal(submission.status)) return submission

  return withOrganization(platform.orm, organization.id, async (em) => {
    await becomeAsynchronous(em, run.submission.id)
    return em.findOneOrFail(SubmissionEntity, { id: run.submission.id }, { refresh: true })
  })
}

/** A run that failed by no fault of its document is left to a job, without waiting for the one that rests. */
async function tryAgain(
  { orm, queue, log }: AcceptingPlatform,
  organization: CallingOrganization,
  { submission }: Run,
  err: unknown,
): Promise<null> {
  const submissionId = submission.id
  log.error({ err, submissionId }, 'a run failed; a job tries again')
  const job = { organizationId: organization.id, submissionId }
  try {
    await withOrganization(orm, organization.id, (em) =>
      queue.send(em, 'normalize-submission', job, organization),
    )
  } catch (error) {
    log.error({ err: error, submissionId }, 'the job that rests will try again')
  }
  return null
}

function after(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, null).unref())
}
