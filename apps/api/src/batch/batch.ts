import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { Batch as BatchBody, BatchStatus } from '@pdfnorm/contracts/schema/batch'

/** A named group of submissions and how many of them ended in which way. */
export const BatchEntity = defineEntity({
  name: 'Batch',
  tableName: 'batch',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Of the request that created it; its event is written in it. */
    apiVersion: p.text().$type<ApiVersion>(),
    name: p.text(),
    webhookUrl: p.text().nullable(),
    createdAt: p.datetime(3),
    /** Submissions that were accepted into it; it only grows. */
    total: p.integer(),
    completed: p.integer(),
    failed: p.integer(),
    rejected: p.integer(),
    /** The database derives it from the counters (decision 4.1). */
    status: p.text().$type<BatchStatus>().persist(false),
    /** How many it had when its completion was last announced; 0 before the first time. */
    announcedTotal: p.integer(),
  },
})
export type Batch = InferEntity<typeof BatchEntity>

/** Interface, section 2.4. */
export function batchBody({ id, name, status, createdAt, ...batch }: Batch): BatchBody {
  const { total, completed, failed, rejected } = batch
  return {
    batchId: id,
    name,
    status,
    total,
    completed,
    failed,
    rejected,
    createdAt: createdAt.toISOString(),
  }
}
