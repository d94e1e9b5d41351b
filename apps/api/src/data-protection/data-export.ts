import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { DataExport as DataExportResponse } from '@pdfnorm/contracts/schema/data-export'
import type { Region } from '@pdfnorm/contracts/schema/region'

/** One export of an organization (interface, section 3.3). Its row stays, so that EXPIRED can be told. */
export const DataExportEntity = defineEntity({
  name: 'DataExport',
  tableName: 'data_export',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Who is mailed when it is completed; null once that member is removed. */
    requestedBy: p.uuid().nullable(),
    /** Where its archive lies. */
    region: p.text().$type<Region>(),
    status: p.text().$type<DataExportResponse['status']>(),
    /** Counted from 1; an erasure while it is pending makes what was built until then void and begins the next. */
    build: p.integer(),
    requestedAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    /** When it can no longer be downloaded: a while after its completion, or at an erasure. */
    expiresAt: p.datetime(3).nullable(),
    archiveKey: p.text().nullable(),
  },
})
export type DataExport = InferEntity<typeof DataExportEntity>

/** The export as the interface shows it (section 2.11). */
export function dataExportResponse(dataExport: DataExport): DataExportResponse {
  return {
    exportId: dataExport.id,
    status: dataExport.status,
    requestedAt: dataExport.requestedAt.toISOString(),
    ...(dataExport.completedAt && { completedAt: dataExport.completedAt.toISOString() }),
  }
}
