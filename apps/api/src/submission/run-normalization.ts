import type { EntityManager } from '@mikro-orm/postgresql'
import { plans } from '@pdfnorm/contracts/schema/plan'
import type { Outcome } from '@pdfnorm/normalizer/outcome'
import { lostOutcome } from '@pdfnorm/normalizer/stopped-outcome'
import { originalKey } from '../artifact/object-store.ts'
import { storeArtifact } from '../artifact/store-artifact.ts'
import { keepObject } from '../artifact/stored-object.ts'
import { issueAttestation } from '../attestation/issue-attestation.ts'
import { countEndedInBatch } from '../batch/count-in-batch.ts'
import type { CallingOrganization } from '../caller.ts'
import { executeTogether, type Statement, withOrganization } from '../database/transaction.ts'
import { countOutcome } from '../metrics.ts'
import { countEnd } from '../plan/count-submission.ts'
import type { Platform } from '../platform.ts'
import { newReport } from '../report/report.ts'
import { inSpan, recordSpan } from '../tracing.ts'
import { callWaiting } from './call-waiting.ts'
import { tellWaiters } from './endings.ts'
import { announceEnd } from './announce-end.ts'
import {
  abandonRun,
  endRun,
  leaseMs,
  maxAttempts,
  maxFaults,
  renewLease,
  type Run,
  type Submission,
  SubmissionEntity,
} from './submission.ts'

/** Whose documents are normalized. */
export type SubmittingOrganization = Pick<CallingOrganization, 'id' | 'schemaName' | 'planTier'>

type NormalizingPlatform = Pick<
  Platform,
  | 'orm'
  | 'objects'
  | 'clock'
  | 'normalizer'
  | 'signingKeys'
  | 'config'
  | 'log'
  | 'metrics'
  | 'queue'
>

/** From the deadline on a caller has its answer within so long. */
const answerMs = 1000

/**
 * Carries a started run to its end: original → pipeline → artifact, report, attestation and status, which become
 * visible together. The synchronous path and the job both end here.
 *
 * @param signal aborted when the process will not wait any longer
 * @returns the submission as it is afterwards
 * @throws when storage, database or pool fail, or at the signal; the run is given up, and a job may take the submission
 *   over at once
 */
export async function runNormalization(
  platform: NormalizingPlatform,
  organization: SubmittingOrganization,
  run: Run,
  signal?: AbortSignal,
): Promise<Submission> {
  const heartbeat = setInterval(() => void keepAlive(platform, organization, run), leaseMs / 4)
  try {
    const outcome = await unlessAborted(normalizeOriginal(platform, organization, run), signal)
    return await keepOutcome(platform, organization, run, outcome)
  } catch (error) {
    await giveUp(platform, organization, run)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

async function normalizeOriginal(
  { objects, normalizer, log }: NormalizingPlatform,
  organization: SubmittingOrganization,
  run: Run,
): Promise<Outcome> {
  const { submission } = run
  const original = { sha256: submission.originalSha256, sizeBytes: submission.originalSizeBytes }
  const internalError = (message: string) =>
    lostOutcome(original, 0, null, { code: 'INTERNAL_ERROR', message })

  if (run.attempt > maxAttempts) {
    return internalError(
      `The document was tried ${maxAttempts} times, and each time a worker was lost.`,
    )
  }
  if (submission.faults >= maxFaults) {
    return internalError(`The service failed ${maxFaults} times while it had the document.`)
  }
  const bytes = await objects.read(
    submission.region,
    originalKey(organization.schemaName, submission.id),
  )
  if (bytes === null) {
    // A disk that is not mounted lacks every object: that is no reason to give one up.
    await objects.check()
    return internalError('The original is no longer in the storage.')
  }

  const outcome = await inSpan({ name: 'normalize' }, async () => {
    const outcome = await normalizer.normalize(bytes, submission.options)
    recordStages(outcome)
    return outcome
  })
  if (outcome.kind === 'failed' && outcome.fault !== undefined) {
    log.error(
      { submissionId: submission.id, fault: outcome.fault },
      'a stage of the pipeline failed',
    )
  }
  return outcome
}

/** The stages have run in another process, one after another up to the end. */
function recordStages({ stages }: Outcome): void {
  let endedMsAgo = 0
  for (const { name, durationMs, result } of stages.toReversed()) {
    if (result === 'skipped') continue
    const attributes = { 'pdfnorm.stage.result': result }
    recordSpan({ name: `stage ${name}`, attributes }, { durationMs, endedMsAgo })
    endedMsAgo += durationMs
  }
}

/** Stops waiting at the signal; what was waited for goes on, and nobody hears of it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new Error('The process stops'))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function keepOutcome(
  platform: NormalizingPlatform,
  organization: SubmittingOrganization,
  run: Run,
  outcome: Outcome,
): Promise<Submission> {
  const { submission, restingJobId } = run
  const completedAt = platform.clock.now()
  const at = { completedAt, expiresAt: retainedUntil(organization, completedAt) }
  const original = {
    region: submission.region,
    key: originalKey(organization.schemaName, submission.id),
  }

  let endedByThisRun = false
  const end = async (em: EntityManager, output: Output | null) => {
    const ended = await endRun(em, run, outcome, {
      completedAt,
      originalExpiresAt: at.expiresAt,
      isLate: +completedAt - +submission.createdAt > platform.config.syncDeadlineMs + answerMs,
    })
    if (ended === null) {
      return em.findOneOrFail(SubmissionEntity, { id: submission.id }, { refresh: true })
    }
    await executeTogether(em, [
      keepObject(original, at.expiresAt),
      ...(output === null ? [] : await output.keep(em)),
    ])
    if (restingJobId !== null) {
      await platform.queue.withdraw(em, 'normalize-submission', restingJobId)
    }
    await announceEnd(em, platform, ended)
    // Last, since all submissions of the organization wait for each other here.
    await callWaiting(platform, em, organization)
    await count(platform, em, submission, outcome)
    // Its caller waits for it in a process without workers.
    if (restingJobId === null && !ended.asynchronous) await tellWaiters(em, submission.id)
    endedByThisRun = true
    return ended
  }
  const kept = await withOutput(platform, submission, outcome, at, (output) =>
    withOrganization(platform.orm, organization.id, (em) => end(em, output)),
  )
  if (endedByThisRun) tellEnd(platform, kept, outcome)
  return kept
}

/** For those who watch the service. */
function tellEnd(
  { metrics, log }: Pick<Platform, 'metrics' | 'log'>,
  { id, organizationId, status, asynchronous }: Submission,
  outcome: Outcome,
): void {
  countOutcome(metrics, outcome, status)
  const code = outcome.kind === 'normalized' ? undefined : outcome.failure.code
  const { processingTimeMs } = outcome
  log.info(
    { submissionId: id, organizationId, status, code, asynchronous, processingTimeMs },
    'a submission ended',
  )
}

/** What a success leaves, beside its status. */
interface Output {
  /** In the transaction that ends the run; what is left to be executed in it. */
  keep(em: EntityManager): Promise<Statement[]>
}

/** Does all that a success needs before its transaction: the attestation is signed and the object is written. */
async function withOutput<Result>(
  platform: NormalizingPlatform,
  { id: submissionId, organizationId, region, apiVersion }: Submission,
  outcome: Outcome,
  at: { completedAt: Date; expiresAt: Date },
  work: (output: Output | null) => Promise<Result>,
): Promise<Result> {
  if (outcome.kind !== 'normalized') return work(null)
  const attestation = await issueAttestation(platform, organizationId, outcome, at.completedAt)
  const report = newReport({ organizationId, submissionId, apiVersion, outcome, ...at })
  const artifact = { ...outcome.normalized, bytes: outcome.output, region }
  return storeArtifact(platform, artifact, (written) =>
    work({
      keep: async (em) => [await written.keep(em, { organizationId, ...at }), report, attestation],
    }),
  )
}

/** Originals, artifacts and reports are kept from their last completion on (decision 2.13). */
function retainedUntil({ planTier }: SubmittingOrganization, completedAt: Date): Date {
  return new Date(completedAt.getTime() + plans[planTier].retentionDays * 24 * 60 * 60 * 1000)
}

/** @param submission as it was when the run began: its end has given the document back */
async function count(
  platform: Pick<Platform, 'queue'>,
  em: EntityManager,
  submission: Submission,
  outcome: Outcome,
): Promise<void> {
  const { organizationId, quotaCycleStartsAt: cycleStartsAt, batchId } = submission
  if (!cycleStartsAt) throw new Error('A submission was run without a document of the quota')
  await countEnd(em, { organizationId, cycleStartsAt }, outcome)
  if (batchId) await countEndedInBatch(platform, em, { organizationId, batchId }, outcome)
}

async function keepAlive(
  { orm, clock, log }: NormalizingPlatform,
  organization: SubmittingOrganization,
  run: Run,
): Promise<void> {
  try {
    await withOrganization(orm, organization.id, (em) => renewLease(em, run, clock.now()))
  } catch (err) {
    log.warn({ err, submissionId: run.submission.id }, 'the lease of a run could not be renewed')
  }
}

async function giveUp(
  { orm, log }: NormalizingPlatform,
  organization: SubmittingOrganization,
  run: Run,
): Promise<void> {
  try {
    await withOrganization(orm, organization.id, (em) => abandonRun(em, run))
  } catch (err) {
    // The lease ends by itself; this would only have been sooner.
    log.warn({ err, submissionId: run.submission.id }, 'a run could not be given up')
  }
}
