import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { AccountDeletion as AccountDeletionResponse } from '@pdfnorm/contracts/schema/account-deletion'

/** The latest request to delete an organization (interface, section 3.4). */
export const AccountDeletionEntity = defineEntity({
  name: 'AccountDeletion',
  tableName: 'account_deletion',
  properties: {
    organizationId: p.uuid().primary(),
    requestedAt: p.datetime(3),
    cancellableUntil: p.datetime(3),
    cancelledAt: p.datetime(3).nullable(),
    /** When the deletion itself began: from then on nobody is let in, and nothing calls it off. */
    begunAt: p.datetime(3).nullable(),
  },
})
export type AccountDeletion = InferEntity<typeof AccountDeletionEntity>

/** The request as the interface shows it (section 2.11). */
export function accountDeletionResponse(deletion: AccountDeletion): AccountDeletionResponse {
  const { requestedAt, cancellableUntil, cancelledAt } = deletion
  const until = cancellableUntil.toISOString()
  return {
    status: cancelledAt ? 'cancelled' : 'pending',
    requestedAt: requestedAt.toISOString(),
    cancellableUntil: until,
    message: cancelledAt
      ? 'The deletion was cancelled: the account stays.'
      : `The account and all its data will be deleted. This can be cancelled until ${until}.`,
  }
}
