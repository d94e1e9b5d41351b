import { defineEntity, type InferEntity, LockMode, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { FailureInfo } from '@pdfnorm/contracts/schema/failure'
import { plans } from '@pdfnorm/contracts/schema/plan'
import type { Region } from '@pdfnorm/contracts/schema/region'
import type { SecurityInfo } from '@pdfnorm/contracts/schema/security-findings'
import type { SubmissionStatus } from '@pdfnorm/contracts/schema/submission'
import type { TamperAnalysis } from '@pdfnorm/contracts/schema/tamper-analysis'
import type { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import type { WarningInfo } from '@pdfnorm/contracts/schema/warning'
import type { NormalizeOptions } from '@pdfnorm/normalizer/options'
import type { NormalizedFacts, Outcome } from '@pdfnorm/normalizer/outcome'
import { v7 as uuidv7 } from 'uuid'
import type { CallingOrganization } from '../caller.ts'
import { type JobOrigin, originOfNow } from '../job-origin.ts'

/** One upload and what became of it. Only the functions of this file change its status. */
export const SubmissionEntity = defineEntity({
  name: 'Submission',
  tableName: 'submission',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    apiVersion: p.text().$type<ApiVersion>(),
    region: p.text().$type<Region>(),
    batchId: p.uuid().nullable(),
    webhookUrl: p.text().nullable(),
    options: p.json<NormalizeOptions>(),
    originalSha256: p.text(),
    originalSizeBytes: p.integer(),
    /** Until when the original is kept; null while the submission is not terminal, or if it was never kept. */
    originalExpiresAt: p.datetime(3).nullable(),
    /** The quota cycle that its document was taken off; null when nothing was, or when it was given back. */
    quotaCycleStartsAt: p.datetime(3).nullable(),
    status: p.text().$type<SubmissionStatus>(),
    /** While it is PENDING: whether a job was sent for it. The others wait for a slot (call-waiting.ts). */
    called: p.boolean(),
    /** What its job goes on with when it is called; null: it was not accepted as PENDING. */
    origin: p.json<JobOrigin>().nullable(),
    /** Whether its caller was answered before it ended. */
    asynchronous: p.boolean(),
    /** Runs that were begun and not given up; a crash leaves a run without an end. */
    attempts: p.integer(),
    /** Runs that were given up, because storage, database or pool failed or the process stopped. */
    faults: p.integer(),
    /** The run that works on it now; only it may end the submission. */
    runId: p.uuid().nullable(),
    /** The run is taken for dead when it did not renew its lease by then; null: it was given up. */
    leaseExpiresAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    processingTimeMs: p.integer(),
    normalized: p.json<NormalizedFacts>().nullable(),
    security: p.json<SecurityInfo>().nullable(),
    validation: p.json<ValidationInfo>().nullable(),
    tamperAnalysis: p.json<TamperAnalysis>().nullable(),
    warnings: p.json<readonly WarningInfo[]>(),
    failure: p.json<FailureInfo>().nullable(),
  },
})
export type Submission = InferEntity<typeof SubmissionEntity>

/** What is known of a submission when it is accepted. */
export type NewSubmission = Pick<
  Submission,
  | 'id'
  | 'organizationId'
  | 'apiVersion'
  | 'region'
  | 'batchId'
  | 'webhookUrl'
  | 'options'
  | 'originalSha256'
  | 'originalSizeBytes'
  | 'quotaCycleStartsAt'
  | 'createdAt'
>

/**
 * Saves an accepted submission as PENDING: it waits to be called.
 *
 * @param waits whether its caller waits for the end; else it is answered before
 */
export async function openPending(
  em: EntityManager,
  submission: NewSubmission,
  { waits }: { waits: boolean },
): Promise<Submission> {
  return open(em, {
    ...submission,
    ...untouched,
    status: 'PENDING',
    origin: originOfNow(),
    asynchronous: !waits,
  })
}

/**
 * Saves an accepted submission as IN_PROGRESS with its first run, in a transaction that holds the organization's
 * starts and has seen a free slot.
 */
export async function openStarted(em: EntityManager, submission: NewSubmission): Promise<FirstRun> {
  const runId = uuidv7()
  const opened = await open(em, {
    ...submission,
    ...untouched,
    ...startOf({ runId, attempt: 1, at: submission.createdAt }),
  })
  return { submission: opened, runId, attempt: 1 }
}

/** Saves a submission that a policy refuses before the pipeline sees it. */
export async function openRejected(
  em: EntityManager,
  submission: NewSubmission,
  outcome: Exclude<Outcome, { kind: 'normalized' }>,
): Promise<Submission> {
  const { security, validation, failure } = outcome
  return open(em, {
    ...submission,
    ...untouched,
    security,
    validation,
    failure,
    status: 'REJECTED',
    completedAt: submission.createdAt,
  })
}

/** How a run may be refused its start. */
export type NotStarted =
  /** The plan's concurrent jobs are all running: it waits to be called again. */
  | 'waiting'
  /** A run that is alive has it. */
  | 'running'
  /** It has ended already, or there is no such submission. */
  | 'ended'

/** A run's right to work on a submission and to end it. */
export interface Run {
  /** As it was when the run began. */
  readonly submission: Submission
  readonly runId: string
  /** Counted from 1; those before it crashed. */
  readonly attempt: number
  /** The job that takes the submission over should this process die; null when a job carries the run. */
  readonly restingJobId: string | null
}

/** A run that no job rests behind yet. */
type FirstRun = Omit<Run, 'restingJobId'>

/** Two retries after the first try (decision 2.2). */
export const maxAttempts = 3

/** A storage or database that is away is waited for: with the delays of the job this makes a quarter of an hour. */
export const maxFaults = 30

/** A living run renews its lease far more often than it expires. */
export const leaseMs = 20_000

/**
 * PENDING → IN_PROGRESS, or takes over a run that died. The organization's starts are made one after another over
 * all processes, so that no more are IN_PROGRESS than the plan allows (decision 2.8).
 */
export async function startRun(
  em: EntityManager,
  organization: Pick<CallingOrganization, 'id' | 'planTier'>,
  submissionId: string,
  now: Date,
): Promise<Run | NotStarted> {
  // In this order everywhere: a submission, then its organization's starts.
  const submission = await em.findOne(
    SubmissionEntity,
    { id: submissionId, organizationId: organization.id },
    { refresh: true, lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (submission === null) return 'ended'
  const { status, attempts, leaseExpiresAt } = submission
  if (status !== 'PENDING' && status !== 'IN_PROGRESS') return 'ended'
  if (leaseExpiresAt && leaseExpiresAt > now) return 'running'

  await lockStarts(em, organization.id)
  if (status === 'PENDING' && !(await mayStart(em, organization))) {
    // One of those that run calls it when it ends. Only a change to a smaller plan leads here.
    await em.nativeUpdate(SubmissionEntity, { id: submissionId }, { called: false })
    return 'waiting'
  }

  const runId = uuidv7()
  const attempt = attempts + 1
  const start = startOf({ runId, attempt, at: now })
  await em.nativeUpdate(SubmissionEntity, { id: submissionId }, start)
  return { submission, runId, attempt, restingJobId: null }
}

/** Until the transaction of `em` ends, no other one starts a run of the organization. */
export async function lockStarts(em: EntityManager, organizationId: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(?, hashtext(?))', [startLock, organizationId])
}

/**
 * Whether one that was not called may start, in a transaction that holds the organization's starts: those that were
 * called come first.
 */
export async function hasFreeSlot(
  em: EntityManager,
  { id: organizationId, planTier }: Pick<CallingOrganization, 'id' | 'planTier'>,
): Promise<boolean> {
  const holding = await em.count(SubmissionEntity, {
    organizationId,
    $or: [{ status: 'IN_PROGRESS' }, { called: true }],
  })
  return holding < plans[planTier].concurrentJobs
}

/** Whether one that was called may start, in a transaction that holds the organization's starts. */
async function mayStart(
  em: EntityManager,
  { id: organizationId, planTier }: Pick<CallingOrganization, 'id' | 'planTier'>,
): Promise<boolean> {
  const running = await em.count(SubmissionEntity, { organizationId, status: 'IN_PROGRESS' })
  return running < plans[planTier].concurrentJobs
}

/** Keeps the run's right for another lease. */
export async function renewLease(em: EntityManager, run: Run, now: Date): Promise<void> {
  await em.nativeUpdate(SubmissionEntity, ownedBy(run), {
    leaseExpiresAt: new Date(now.getTime() + leaseMs),
  })
}

/**
 * Gives the run up without an end: whoever comes next may take the submission over at once. It is no try of the
 * document, which had no part in it. The run loses its right, so that nothing of it that is still under way, as the
 * renewal of its lease, counts any more.
 */
export async function abandonRun(em: EntityManager, run: Run): Promise<void> {
  await em.nativeUpdate(SubmissionEntity, ownedBy(run), {
    runId: uuidv7(),
    leaseExpiresAt: null,
    attempts: run.attempt - 1,
    faults: run.submission.faults + 1,
  })
}

/** From now on its caller does not wait for it: its end is announced. */
export async function becomeAsynchronous(em: EntityManager, submissionId: string): Promise<void> {
  await em.nativeUpdate(
    SubmissionEntity,
    { id: submissionId, completedAt: null },
    { asynchronous: true },
  )
}

/**
 * IN_PROGRESS → SUCCESS, REJECTED or FAILED, as the outcome says.
 *
 * @param at.originalExpiresAt until when its original is kept
 * @param at.isLate whether its caller cannot be waiting any more: also one whose process died before it was answered
 *   learns of the end by its announcement
 * @returns the submission as it is now; null when the run has lost its right: then another one ends the submission,
 *   and nothing has changed
 */
export async function endRun(
  em: EntityManager,
  run: Run,
  outcome: Outcome,
  at: { completedAt: Date; originalExpiresAt: Date; isLate: boolean },
): Promise<Submission | null> {
  const { processingTimeMs, security, validation, tamperAnalysis, warnings } = outcome
  const succeeded = outcome.kind === 'normalized'
  const end = {
    processingTimeMs,
    security,
    validation,
    tamperAnalysis,
    warnings: [...warnings],
    status: statusOf[outcome.kind],
    normalized: succeeded ? outcome.normalized : null,
    failure: succeeded ? null : outcome.failure,
    completedAt: at.completedAt,
    originalExpiresAt: at.originalExpiresAt,
    runId: null,
    leaseExpiresAt: null,
    ...(at.isLate ? { asynchronous: true } : {}),
    // A document that came to nothing is given back (decision 2.7); whoever gives it back read the cycle before.
    ...(succeeded ? {} : { quotaCycleStartsAt: null }),
  }
  // Its caller may have stopped waiting meanwhile.
  const [changed] = await em
    .createQueryBuilder(SubmissionEntity)
    .update(end)
    .where(ownedBy(run))
    .returning('asynchronous')
    .execute<Pick<Submission, 'asynchronous'>[]>('all')
  return changed === undefined ? null : { ...run.submission, ...end, ...changed }
}

const statusOf = {
  normalized: 'SUCCESS',
  rejected: 'REJECTED',
  failed: 'FAILED',
} as const satisfies Record<Outcome['kind'], SubmissionStatus>

/** First half of the advisory locks that order the starts of an organization; the other is the organization. */
const startLock = 6_273

const untouched = {
  called: false,
  origin: null,
  asynchronous: false,
  attempts: 0,
  faults: 0,
  runId: null,
  leaseExpiresAt: null,
  originalExpiresAt: null,
  completedAt: null,
  processingTimeMs: 0,
  normalized: null,
  security: null,
  validation: null,
  tamperAnalysis: null,
  warnings: [],
  failure: null,
} as const satisfies Partial<Submission>

async function open(em: EntityManager, submission: Submission): Promise<Submission> {
  await em.insert(SubmissionEntity, submission)
  return submission
}

function startOf({ runId, attempt, at }: { runId: string; attempt: number; at: Date }) {
  return {
    status: 'IN_PROGRESS',
    called: false,
    runId,
    leaseExpiresAt: new Date(at.getTime() + leaseMs),
    attempts: attempt,
  } as const
}

function ownedBy({ submission, runId }: Run) {
  return { id: submission.id, runId, status: 'IN_PROGRESS' } as const
}
