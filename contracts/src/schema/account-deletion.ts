import { z } from 'zod'
import { IsoDateTime } from './identifier.ts'

/** Interface, sections 2.11 and 3.4; decision 6.3. */
export const AccountDeletion = z
  .object({
    status: z
      .enum(['pending', 'cancelled'])
      .meta({ id: 'AccountDeletionStatus', description: 'Whether the deletion is still to come.' }),
    requestedAt: IsoDateTime,
    cancellableUntil: IsoDateTime.meta({ description: '72 hours after the request.' }),
    message: z.string(),
  })
  .meta({ id: 'AccountDeletion', description: 'A request to delete the account.' })
export type AccountDeletion = z.infer<typeof AccountDeletion>
