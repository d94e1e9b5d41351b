import type { BatchStatus } from '@pdfnorm/contracts/schema/batch'
import type { PageQuery } from '@pdfnorm/contracts/schema/page'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { type Batch, BatchEntity } from './batch.ts'

/**
 * A page of the organization's batches, newest first.
 *
 * @returns `total`: those of all pages
 */
export async function listBatches(
  { orm }: Pick<Platform, 'orm'>,
  organization: Pick<CallingOrganization, 'id'>,
  { status, page, page_size: pageSize }: PageQuery & { status?: BatchStatus | undefined },
): Promise<{ batches: Batch[]; total: number }> {
  const wanted = { organizationId: organization.id, ...(status !== undefined && { status }) }
  return withOrganization(orm, organization.id, async (em) => {
    const [batches, total] = await em.findAndCount(BatchEntity, wanted, {
      orderBy: { createdAt: 'desc', id: 'desc' },
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    return { batches, total }
  })
}
