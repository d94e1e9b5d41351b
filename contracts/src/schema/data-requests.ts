import { z } from 'zod'
import { AccountDeletion } from './account-deletion.ts'
import { DataExport } from './data-export.ts'
import { IsoDateTime } from './identifier.ts'

/** What was last asked for; null: nothing yet. Of the portal; not of the interface. */
export const DataRequests = z.object({
  export: DataExport.extend({
    /** Until when it can be downloaded; null while it is pending. */
    expiresAt: IsoDateTime.nullable(),
  }).nullable(),
  erasure: z.object({ requestedAt: IsoDateTime, completedAt: IsoDateTime.nullable() }).nullable(),
  /** Also null for whoever may not delete the account. */
  deletion: AccountDeletion.nullable(),
})
export type DataRequests = z.infer<typeof DataRequests>
