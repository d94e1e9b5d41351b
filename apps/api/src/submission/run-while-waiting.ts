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
  request: AcceptRequest,
  run: Run,
): Promise<Submission> {
  const ended = platform.runs.track(
    runNormalization(platform, organization, run).catch((err: unknown) =>
      tryAgain(platform, organization, run, err),
    ),
  )
  const submission = await Promise.race([ended, after(waitMsOf(platform, request))])
  if (submission !== null && isTerminal(submission.status)) return submission

  return goOnInBackground(platform, organization, run.submission.id)
}

/** How long the caller waits at most. */
export function waitMsOf(
  { config }: Pick<AcceptingPlatform, 'config'>,
  { preference }: AcceptRequest,
): number {
  return Math.min(preference.waitMs ?? config.syncDeadlineMs, config.syncDeadlineMs)
}

/** The caller is answered: its end is announced, unless it came just before. */
export function goOnInBackground(
  { orm }: Pick<AcceptingPlatform, 'orm'>,
  organization: CallingOrganization,
  submissionId: string,
): Promise<Submission> {
  return withOrganization(orm, organization.id, async (em) => {
    await becomeAsynchronous(em, submissionId)
    return em.findOneOrFail(SubmissionEntity, { id: submissionId }, { refresh: true })
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
