import type { AccountDeletion as AccountDeletionResponse } from '@pdfnorm/contracts/schema/account-deletion'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { AccountDeletionEntity, accountDeletionResponse } from './account-deletion.ts'

/** GET /api/portal/data-deletion/status: the latest request, pending or cancelled. */
export async function findAccountDeletion(
  { orm }: Pick<Platform, 'orm'>,
  { organization }: MemberCaller,
): Promise<AccountDeletionResponse | Refusal<'NO_PENDING_DELETION'>> {
  const found = await withOrganization(orm, organization.id, (em) =>
    em.findOne(AccountDeletionEntity, { organizationId: organization.id }),
  )
  return found === null
    ? new Refusal('NO_PENDING_DELETION', 'Nobody asked for the deletion of the account.')
    : accountDeletionResponse(found)
}
