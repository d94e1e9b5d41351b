import type { EntityManager } from '@mikro-orm/postgresql'
import type { Outcome } from '@pdfnorm/normalizer/outcome'

/** Counts a submission into its batch, in the transaction of `em` that accepts it. */
export async function countAcceptedInBatch(em: EntityManager, batchId: string): Promise<void> {
  const counted = await em.execute<unknown[]>(
    'update batch set total = total + 1 where id = ? returning id',
    [batchId],
  )
  // A batch stays as long as its organization; that there is such a one was asked before.
  if (counted.length === 0) throw new Error(`The batch ${batchId} is gone`)
}

/** Counts how a submission of a batch ended, in the transaction of `em` that ends it. */
export async function countEndedInBatch(
  em: EntityManager,
  batchId: string,
  { kind }: Pick<Outcome, 'kind'>,
): Promise<void> {
  const counter = counterOf[kind]
  await em.execute(`update batch set ${counter} = ${counter} + 1 where id = ?`, [batchId])
}

const counterOf = {
  normalized: 'completed',
  failed: 'failed',
  rejected: 'rejected',
} as const satisfies Record<Outcome['kind'], string>
