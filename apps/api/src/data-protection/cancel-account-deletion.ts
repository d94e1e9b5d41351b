import { randomUUID } from 'node:crypto'
import type { AccountDeletion as AccountDeletionResponse } from '@pdfnorm/contracts/schema/account-deletion'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { actAsMember } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { AccountDeletionEntity, accountDeletionResponse } from './account-deletion.ts'

/** DELETE /api/portal/data-deletion/cancel. The job that waits for its time finds the request cancelled. */
export async function cancelAccountDeletion(
  { orm, clock, queue }: Pick<Platform, 'orm' | 'clock' | 'queue'>,
  caller: MemberCaller,
): Promise<
  | AccountDeletionResponse
  | Refusal<
      'COOLING_OFF_EXPIRED' | 'NO_PENDING_DELETION' | 'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'
    >
> {
  return actAsMember(orm, caller, leastRole.deleteAccount, async (em, organization) => {
    const organizationId = organization.id
    const pending = await em.findOne(AccountDeletionEntity, { organizationId, cancelledAt: null })
    if (pending === null) {
      return new Refusal('NO_PENDING_DELETION', 'No deletion of the account is pending.')
    }
    const now = clock.now()
    if (pending.begunAt || pending.cancellableUntil <= now) {
      const until = pending.cancellableUntil.toISOString()
      return new Refusal('COOLING_OFF_EXPIRED', `The deletion could be cancelled until ${until}.`)
    }
    pending.cancelledAt = now
    const notice = { organizationId, notice: 'deletion-cancelled', id: randomUUID() } as const
    await queue.send(em, 'mail-data-notice', notice, organization)
    return accountDeletionResponse(pending)
  })
}
