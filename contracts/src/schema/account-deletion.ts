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
  .meta({
    id: 'AccountDeletion',
    description: 'A request to delete the account.',
    examples: [
      {
        status: 'pending',
        requestedAt: '2026-11-01T09:30:00.000Z',
        cancellableUntil: '2026-11-04T09:30:00.000Z',
        message:
          'The account and all its data will be deleted. This can be cancelled until 2026-11-04T09:30:00.000Z.',
      },
    ],
  })
export type AccountDeletion = z.infer<typeof AccountDeletion>
