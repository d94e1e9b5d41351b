import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { announceEvent } from '../webhook/announce-event.ts'
import { BatchEntity, batchBody } from './batch.ts'

/**
 * Tells the batch's address that it is complete, if it still is and nothing came since (decision 4.2). A batch only
 * grows, so that its size names the completion: each is told once, however often its job runs.
 *
 * @param completion.total submissions in the batch when it became complete
 */
export async function announceBatch(
  platform: Pick<Platform, 'orm' | 'clock' | 'queue'>,
  { organizationId, batchId, total }: { organizationId: string; batchId: string; total: number },
): Promise<void> {
  await withOrganization(platform.orm, organizationId, async (em) => {
    const stillComplete = await em.nativeUpdate(
      BatchEntity,
      { id: batchId, status: 'complete', total, announcedTotal: { $lt: total } },
      { announcedTotal: total },
    )
    if (stillComplete === 0) return

    const batch = await em.findOneOrFail(BatchEntity, { id: batchId })
    const { webhookUrl, apiVersion } = batch
    if (!webhookUrl) throw new Error(`The batch ${batchId} has no address`)
    await announceEvent(em, platform, {
      organizationId,
      target: { url: webhookUrl },
      event: 'batch.complete',
      data: batchBody(batch),
      apiVersion,
    })
  })
}
