import type { EntityManager } from '@mikro-orm/postgresql'
import type { BatchStatus } from '@pdfnorm/contracts/schema/batch'
import type { Outcome } from '@pdfnorm/normalizer/outcome'
import type { Platform } from '../platform.ts'

/** A batch must stay complete for so long before its completion is announced (decision 4.2). */
const settledAfterSeconds = 5

/** Counts a submission into its batch, in the transaction of `em` that accepts it. */
export async function countAcceptedInBatch(
  em: EntityManager,
  { organizationId, batchId }: { organizationId: string; batchId: string },
): Promise<void> {
  const counted = await em.execute<unknown[]>(
    'update batch set total = total + 1 where organization_id = ? and id = ? returning id',
    [organizationId, batchId],
  )
  // A batch stays as long as its organization; that there is such a one was asked before.
  if (counted.length === 0) throw new Error(`The batch ${batchId} is gone`)
}

/**
 * Counts how a submission of a batch ended, in the transaction of `em` that ends it. If it was the last one and somebody
 * wants to be told, a job looks later whether the batch stayed complete.
 */
export async function countEndedInBatch(
  { queue }: Pick<Platform, 'queue'>,
  em: EntityManager,
  { organizationId, batchId }: { organizationId: string; batchId: string },
  { kind }: Pick<Outcome, 'kind'>,
): Promise<void> {
  const counter = counterOf[kind]
  const [batch] = await em.execute<{ status: BatchStatus; total: number; isWatched: boolean }[]>(
    `update batch set ${counter} = ${counter} + 1 where organization_id = ? and id = ?
     returning status, total, webhook_url is not null as "isWatched"`,
    [organizationId, batchId],
  )
  if (batch === undefined) throw new Error(`The batch ${batchId} is gone`)
  if (batch.status !== 'complete' || !batch.isWatched) return

  const job = { organizationId, batchId, total: batch.total }
  await queue.send(em, 'announce-batch', job, null, { startAfterSeconds: settledAfterSeconds })
}

const counterOf = {
  normalized: 'completed',
  failed: 'failed',
  rejected: 'rejected',
} as const satisfies Record<Outcome['kind'], string>
