import type { EntityManager } from '@mikro-orm/postgresql'
import { type Plan, plans } from '@pdfnorm/contracts/schema/plan'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { lostOutcome } from '@pdfnorm/normalizer/stopped-outcome'
import { keepObject, type StoredObject } from '../artifact/stored-object.ts'
import { countAcceptedInBatch, countEndedInBatch } from '../batch/count-in-batch.ts'
import type { CallingOrganization } from '../caller.ts'
import { executeTogether, withOrganization } from '../database/transaction.ts'
import { countRejectedAtOnce } from '../plan/count-submission.ts'
import { reserveDocument } from '../plan/reserve-document.ts'
import type { AcceptingPlatform, AcceptRefusal, AcceptRequest } from './accept-request.ts'
import { announceEnd } from './announce-end.ts'
import { callWaiting } from './call-waiting.ts'
import { type KeyedRequest, rememberIdempotencyKey } from './remember-idempotency-key.ts'
import {
  hasFreeSlot,
  leaseMs,
  lockStarts,
  type NewSubmission,
  openPending,
  openRejected,
  openStarted,
  type Run,
  type Submission,
  SubmissionEntity,
} from './submission.ts'

export interface Admitted {
  readonly submission: Submission
  /** Set when it is to be carried to its end now. */
  readonly run: Run | null
  readonly replayed: boolean
}

/** What is known of a submission before it is one. */
interface Accepting {
  readonly id: string
  readonly region: Region
  /** null: the file is larger than the plan allows, and was not kept. */
  readonly original: StoredObject | null
  readonly keyed: KeyedRequest | null
  readonly request: AcceptRequest
}

/** The one transaction in which a submission, its key, its document of the quota and its job come to be. */
export async function admitSubmission(
  platform: AcceptingPlatform,
  organization: CallingOrganization,
  accepting: Accepting,
): Promise<Admitted | AcceptRefusal> {
  try {
    return await withOrganization(platform.orm, organization.id, async (em) => {
      const { id, original, keyed, request } = accepting
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

      const submission = newSubmission(accepting, organization, now)
      const opened = await openOrReject(platform, em, organization, submission, request)
      if (original !== null) await executeTogether(em, [keepObject(original, null)])
      return { ...opened, replayed: false }
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal
    throw error
  }
}

/** Ends the transaction without a trace, for a refusal that was found in the middle of it. */
class RolledBack extends Error {
  readonly refusal: AcceptRefusal

  constructor(refusal: AcceptRefusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

function newSubmission(
  { id, region, request }: Accepting,
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
async function openOrReject(
  platform: AcceptingPlatform,
  em: EntityManager,
  organization: CallingOrganization,
  submission: NewSubmission,
  request: AcceptRequest,
): Promise<Pick<Admitted, 'submission' | 'run'>> {
  const { batchId } = submission
  const tooLarge = planRefusal(organization, submission)
  if (tooLarge !== null) {
    await countRejectedAtOnce(em, organization, submission.createdAt)
    if (batchId) {
      const ownBatch = { organizationId: organization.id, batchId }
      await countAcceptedInBatch(em, ownBatch)
      await countEndedInBatch(platform, em, ownBatch, tooLarge)
    }
    const rejected = await openRejected(em, submission, tooLarge)
    await announceEnd(em, platform, rejected)
    return { submission: rejected, run: null }
  }

  // In this order everywhere: the organization's starts, its quota, the batch.
  await lockStarts(em, organization.id)
  const reserved = await reserveDocument(platform, em, organization, submission.createdAt)
  if (reserved instanceof Refusal) throw new RolledBack(reserved)
  if (batchId) await countAcceptedInBatch(em, { organizationId: organization.id, batchId })
  const accepted = { ...submission, quotaCycleStartsAt: reserved.startsAt }

  const waits = runsNow(platform, request) && (await hasFreeSlot(em, organization))
  if (!waits || platform.endings !== null) {
    const pending = await openPending(em, accepted, { waits })
    await callWaiting(platform, em, organization)
    return { submission: pending, run: null }
  }
  const started = await openStarted(em, accepted)
  // Should this process die, the job takes the submission over; the run's end withdraws it.
  const job = { organizationId: organization.id, submissionId: submission.id }
  const startAfterSeconds = Math.ceil((platform.config.syncDeadlineMs + leaseMs) / 1000)
  const restingJobId = await platform.queue.send(em, 'normalize-submission', job, organization, {
    startAfterSeconds,
  })
  return { submission: started.submission, run: { ...started, restingJobId } }
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
