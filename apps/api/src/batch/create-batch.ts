import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { CreateBatchRequest } from '@pdfnorm/contracts/schema/batch'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import { v7 as uuidv7 } from 'uuid'
import type { ApiKeyCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { webhookUrlRefusal } from '../webhook/webhook-url-refusal.ts'
import { type Batch, BatchEntity } from './batch.ts'

/** POST /api/batches: an empty batch. */
export async function createBatch(
  { orm, clock, config }: Pick<Platform, 'orm' | 'clock' | 'config'>,
  { organization }: ApiKeyCaller,
  { name, webhook_url: webhookUrl }: CreateBatchRequest,
  apiVersion: ApiVersion,
): Promise<Batch | Refusal<'WEBHOOK_URL_FORBIDDEN'>> {
  const refusal = webhookUrl === undefined ? null : await webhookUrlRefusal(config, webhookUrl)
  if (refusal !== null) return refusal

  const id = uuidv7()
  const created = {
    id,
    apiVersion,
    webhookUrl: webhookUrl ?? null,
    organizationId: organization.id,
    name: name ?? `batch-${id.slice(0, 8)}`,
    createdAt: clock.now(),
    total: 0,
    completed: 0,
    failed: 0,
    rejected: 0,
    announcedTotal: 0,
  }
  await withOrganization(orm, organization.id, (em) => em.insert(BatchEntity, created))
  return { ...created, status: 'open' }
}
