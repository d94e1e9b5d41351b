import type { EntityManager } from '@mikro-orm/postgresql'
import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { type Plan, plans } from '@pdfnorm/contracts/schema/plan'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import type { NormalizeOptions } from '@pdfnorm/normalizer/options'
import { lostOutcome } from '@pdfnorm/normalizer/stopped-outcome'
import { v7 as uuidv7 } from 'uuid'
import { originalKey, type StagedObject } from '../artifact/object-store.ts'
import type { ApiKeyCaller, CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { reserveDocument } from '../plan/reserve-document.ts'
import type { Platform } from '../platform.ts'
import {
  findRemembered,
  type KeyedRequest,
  rememberIdempotencyKey,
} from './remember-idempotency-key.ts'
import { runNormalization } from './run-normalization.ts'
import {
  becomeAsynchronous,
  leaseMs,
  type NewSubmission,
  openRejected,
  openSubmission,
  type Run,
  startRun,
  type Submission,
  SubmissionEntity,
} from './submission.ts'

/** An upload with its choices, checked for form. */
export interface AcceptRequest {
  readonly apiVersion: ApiVersion
  readonly original: {
    readonly sha256: string
    readonly sizeBytes: number
    /** null when the file was not kept, because it is larger than the plan allows. */
    readonly staged: StagedObject | null
  }
  readonly options: NormalizeOptions
  /** null: the organization's. */
  readonly region: Region | null
  readonly webhookUrl: string | null
  readonly idempotencyKey: string | null
  readonly batchId: string | null
  readonly preference: WaitPreference
}

/** How long the caller will wait for the end (RFC 7240). */
export interface WaitPreference {
  readonly respondAsync: boolean
  /** null: as long as the service lets one wait. */
  readonly waitMs: number | null
}

export interface Accepted {
  readonly submission: Submission
  /** Whether the request repeats an earlier one with the same key and file. */
  readonly replayed: boolean
}

export type AcceptRefusal = Refusal<
  | 'REGION_NOT_ALLOWED'
  | 'INVALID_BATCH'
  | 'WEBHOOK_URL_FORBIDDEN'
  | 'QUOTA_EXCEEDED'
  | 'IDEMPOTENCY_KEY_REUSED'
>

type AcceptingPlatform = Pick<
  Platform,
  'orm' | 'objects' | 'clock' | 'config' | 'queue' | 'log' | 'normalizer' | 'signingKeys' | 'runs'
>

/**
 * Takes an upload in: repeats the answer of a remembered key, or reserves a document and either carries it to its
 * end while the caller waits, or leaves it to a job. The staged file is the caller's to discard afterwards; what was
 * refused or repeated leaves nothing in the database or the storage.
 */
export async function acceptSubmission(
  platform: AcceptingPlatform,
  { organization }: ApiKeyCaller,
  request: AcceptRequest,
): Promise<Accepted | AcceptRefusal> {
  const region = chooseRegion(organization, request.region)
  if (region instanceof Refusal) return region
  const refusal = requestRefusal(platform, request)
  if (refusal !== null) return refusal

  const id = uuidv7()
  const keyed = keyedRequest(organization, request)
  const repeated = await repeatedSubmission(platform, organization, keyed)
  if (repeated instanceof Refusal) return repeated
  if (repeated !== null) return { submission: repeated, replayed: true }

  // The object comes before the commit: a submission that can be seen has its original.
  const key = originalKey(organization.schemaName, id)
  const { staged } = request.original
  if (staged !== null) await platform.objects.adopt(staged, region, key)
  let opened: Opened | AcceptRefusal | null = null
  try {
    opened = await open(platform, organization, { id, region, keyed, request })
  } finally {
    const isKept = opened !== null && !(opened instanceof Refusal) && opened.submission.id === id
    if (!isKept) await platform.objects.delete(region, key)
  }
  if (opened instanceof Refusal) return opened

  const { submission, run, replayed } = opened
  if (run === null) return { submission, replayed }
  return { submission: await runWhileWaiting(platform, organization, request, run), replayed }
}

interface Opened {
  readonly submission: Submission
  /** Set when it is to be carried to its end now. */
  readonly run: Run | null
  readonly replayed: boolean
}

/** Ends the transaction without a trace, for a refusal that was found in the middle of it. */
class RolledBack extends Error {
  readonly refusal: AcceptRefusal

  constructor(refusal: AcceptRefusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

function chooseRegion(
  { allowedRegions, defaultRegion }: CallingOrganization,
  asked: Region | null,
): Region | Refusal<'REGION_NOT_ALLOWED'> {
  // Decision 3.13: without a default it is the first one allowed.
  const region = asked ?? defaultRegion ?? allowedRegions[0]
  if (region !== undefined && allowedRegions.includes(region)) return region
  return new Refusal(
    'REGION_NOT_ALLOWED',
    `The organization may not store in ${region ?? 'any region'}; allowed: ${allowedRegions.join(', ')}`,
  )
}

function requestRefusal(
  { config }: AcceptingPlatform,
  { batchId, webhookUrl }: AcceptRequest,
): Refusal<'INVALID_BATCH' | 'WEBHOOK_URL_FORBIDDEN'> | null {
  if (batchId !== null) return new Refusal('INVALID_BATCH', `There is no batch ${batchId}`)
  if (
    webhookUrl !== null &&
    config.environment === 'production' &&
    new URL(webhookUrl).protocol !== 'https:'
  ) {
    return new Refusal('WEBHOOK_URL_FORBIDDEN', 'Webhooks are delivered over HTTPS only')
  }
  return null
}

function keyedRequest(
  organization: CallingOrganization,
  { idempotencyKey, original }: AcceptRequest,
): KeyedRequest | null {
  if (idempotencyKey === null) return null
  return { organizationId: organization.id, key: idempotencyKey, fileSha256: original.sha256 }
}

async function repeatedSubmission(
  { orm, clock }: AcceptingPlatform,
  organization: CallingOrganization,
  keyed: KeyedRequest | null,
): Promise<Submission | null | Refusal<'IDEMPOTENCY_KEY_REUSED'>> {
  if (keyed === null) return null
  return withOrganization(orm, organization.id, async (em) => {
    const known = await findRemembered(em, keyed, clock.now())
    if (known === null || known instanceof Refusal) return known
    return em.findOneOrFail(SubmissionEntity, { id: known })
  })
}

/** The one transaction in which a submission, its key, its document of the quota and its job come to be. */
async function open(
  platform: AcceptingPlatform,
  organization: CallingOrganization,
  accepting: { id: string; region: Region; keyed: KeyedRequest | null; request: AcceptRequest },
): Promise<Opened | AcceptRefusal> {
  try {
    return await withOrganization(platform.orm, organization.id, async (em) => {
      const { id, keyed, request } = accepting
      const now = platform.clock.now()
      if (keyed !== null) {
        const life = { now, ttlMs: platform.config.idempotencyTtlMs }
        const known = await rememberIdempotencyKey(em, keyed, id, life)
        if (known instanceof Refusal) throw new RolledBack(known)
        if (known !== null) {
          const submission = await em.findOneOrFail(SubmissionEntity, { id: known })
          return { submission, run: null, replayed: true }
        }
      }

      const run = await admit(
        platform,
        em,
        organization,
        newSubmission(accepting, organization, now),
        request,
      )
      const submission = await em.findOneOrFail(SubmissionEntity, { id }, { refresh: true })
      return { submission, run, replayed: false }
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal
    throw error
  }
}

function newSubmission(
  { id, region, request }: { id: string; region: Region; request: AcceptRequest },
  organization: CallingOrganization,
  now: Date,
): NewSubmission {
  const { apiVersion, batchId, webhookUrl, options, original } = request
  return {
    id,
    apiVersion,
    region,
    batchId,
    webhookUrl,
    options,
    organizationId: organization.id,
    originalSha256: original.sha256,
    originalSizeBytes: original.sizeBytes,
    quotaCycleStartsAt: null,
    createdAt: now,
  }
}

/** Saves the submission, and starts it where the caller may wait for its end. */
async function admit(
  platform: AcceptingPlatform,
  em: EntityManager,
  organization: CallingOrganization,
  submission: NewSubmission,
  request: AcceptRequest,
): Promise<Run | null> {
  const tooLarge = planRefusal(organization, submission)
  if (tooLarge !== null) {
    await openRejected(em, submission, tooLarge)
    return null
  }

  const reserved = await reserveDocument(em, organization, submission.createdAt)
  if (reserved instanceof Refusal) throw new RolledBack(reserved)
  await openSubmission(em, { ...submission, quotaCycleStartsAt: reserved.startsAt })

  const job = { organizationId: organization.id, submissionId: submission.id }
  const run = runsNow(platform, request)
    ? await startRun(em, organization, submission.id, submission.createdAt)
    : null
  if (run === null || typeof run === 'string') {
    await becomeAsynchronous(em, submission.id)
    await platform.queue.send(em, 'normalize-submission', job, organization)
    return null
  }
  // Should this process die, the job takes the submission over; otherwise it finds it ended.
  const startAfterSeconds = Math.ceil((platform.config.syncDeadlineMs + leaseMs) / 1000)
  await platform.queue.send(em, 'normalize-submission', job, organization, { startAfterSeconds })
  return run
}

/** A file over the plan's size is refused at once, and takes nothing off the quota (decisions 2.3 and 2.5). */
function planRefusal({ planTier }: CallingOrganization, submission: NewSubmission) {
  const plan: Plan = plans[planTier]
  const { originalSha256: sha256, originalSizeBytes: sizeBytes } = submission
  if (sizeBytes <= plan.maxFileBytes) return null
  return lostOutcome({ sha256, sizeBytes }, 0, null, {
    code: 'FILE_TOO_LARGE',
    message: `The plan ${planTier} takes files of at most ${plan.maxFileBytes} bytes; this one has ${sizeBytes}.`,
  })
}

/** Decision 2.1. */
function runsNow({ config }: AcceptingPlatform, { original, preference }: AcceptRequest): boolean {
  return !preference.respondAsync && original.sizeBytes <= config.syncMaxBytes
}

/**
 * Runs until the end, or until the caller has waited long enough: then the same run goes on in the background.
 *
 * @returns the submission as it is then
 */
async function runWhileWaiting(
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
    await becomeAsynchronous(em, run.submissionId)
    return em.findOneOrFail(SubmissionEntity, { id: run.submissionId }, { refresh: true })
  })
}

/** A run that failed by no fault of its document is left to a job, without waiting for the one that rests. */
async function tryAgain(
  { orm, queue, log }: AcceptingPlatform,
  organization: CallingOrganization,
  { submissionId }: Run,
  err: unknown,
): Promise<null> {
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
