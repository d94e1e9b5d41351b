import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { type Batch, BatchEntity } from './batch.ts'

/** The organization's batch; another organization's is as unknown as none (decision 1.10). */
export async function findBatch(
  { orm }: Pick<Platform, 'orm'>,
  organization: Pick<CallingOrganization, 'id'>,
  batchId: string,
): Promise<Batch | Refusal<'NOT_FOUND'>> {
  const found = await withOrganization(orm, organization.id, (em) =>
    em.findOne(BatchEntity, { id: batchId }),
  )
  return found ?? new Refusal('NOT_FOUND', `There is no batch ${batchId}`)
}
