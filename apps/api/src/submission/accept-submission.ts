import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { v7 as uuidv7 } from 'uuid'
import { originalKey } from '../artifact/object-store.ts'
import { abandonObject, claimObject } from '../artifact/stored-object.ts'
import { findBatch } from '../batch/find-batch.ts'
import type { Caller, CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { webhookUrlRefusal } from '../webhook/webhook-url-refusal.ts'
import type { AcceptingPlatform, AcceptRefusal, AcceptRequest } from './accept-request.ts'
import { admitSubmission } from './admit-submission.ts'
import { findRemembered, type KeyedRequest } from './remember-idempotency-key.ts'
import { runWhileWaiting } from './run-while-waiting.ts'
import { type Submission, SubmissionEntity } from './submission.ts'
import { waitForWorker } from './wait-for-worker.ts'

export interface Accepted {
  readonly submission: Submission
  /** Whether the request repeats an earlier one with the same key and file. */
  readonly replayed: boolean
}

/**
 * Takes an upload in: repeats the answer of a remembered key, or reserves a document and either carries it to its
 * end while the caller waits, or leaves it to a job. The staged file is the caller's to discard afterwards; what was
 * refused or repeated leaves nothing in the database or the storage.
 */
export async function acceptSubmission(
  platform: AcceptingPlatform,
  { organization }: Caller,
  request: AcceptRequest,
): Promise<Accepted | AcceptRefusal> {
  const region = chooseRegion(organization, request.region)
  if (region instanceof Refusal) return region
  const refusal = await requestRefusal(platform, organization, request)
  if (refusal !== null) return refusal

  const id = uuidv7()
  const keyed = keyedRequest(organization, request)
  const repeated = await repeatedSubmission(platform, organization, keyed)
  if (repeated instanceof Refusal) return repeated
  if (repeated !== null) return { submission: repeated, replayed: true }

  // The object comes before the commit: a submission that can be seen has its original.
  const { staged } = request.original
  const original =
    staged === null ? null : { region, key: originalKey(organization.schemaName, id) }
  if (staged !== null && original !== null) {
    await claimObject(platform, original)
    await platform.objects.adopt(staged, region, original.key)
  }
  const admitted = await admitSubmission(platform, organization, {
    id,
    region,
    original,
    keyed,
    request,
  })
  const isKept = !(admitted instanceof Refusal) && admitted.submission.id === id
  if (!isKept && original !== null) await abandonObject(platform, original)
  if (admitted instanceof Refusal) return admitted

  const { submission, run, replayed } = admitted
  if (run === null) {
    const isAwaited = submission.status === 'PENDING' && !submission.asynchronous && !replayed
    if (!isAwaited || platform.endings === null) return { submission, replayed }
    const { endings } = platform
    return {
      submission: await waitForWorker({ ...platform, endings }, organization, request, submission),
      replayed,
    }
  }
  return { submission: await runWhileWaiting(platform, organization, request, run), replayed }
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

async function requestRefusal(
  platform: AcceptingPlatform,
  organization: CallingOrganization,
  { batchId, webhookUrl }: AcceptRequest,
): Promise<Refusal<'INVALID_BATCH' | 'WEBHOOK_URL_FORBIDDEN'> | null> {
  const forbidden =
    webhookUrl === null ? null : await webhookUrlRefusal(platform.config, webhookUrl)
  if (forbidden !== null || batchId === null) return forbidden
  const batch = await findBatch(platform, organization, batchId)
  return batch instanceof Refusal ? new Refusal('INVALID_BATCH', batch.detail) : null
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
