import { randomUUID } from 'node:crypto'
import type { AccountDeletion as AccountDeletionResponse } from '@pdfnorm/contracts/schema/account-deletion'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { actAsMember } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { AccountDeletionEntity, accountDeletionResponse } from './account-deletion.ts'

/** DELETE /api/portal/data. While a request is pending it is answered again, with its own time. */
export async function requestAccountDeletion(
  { orm, clock, config, queue }: Pick<Platform, 'orm' | 'clock' | 'config' | 'queue'>,
  caller: MemberCaller,
): Promise<AccountDeletionResponse | Refusal<'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'>> {
  return actAsMember(orm, caller, leastRole.deleteAccount, async (em, organization) => {
    const { id: organizationId, schemaName } = organization
    const pending = await em.findOne(AccountDeletionEntity, { organizationId, cancelledAt: null })
    if (pending !== null) return accountDeletionResponse(pending)

    const requestedAt = clock.now()
    const requested = await em.upsert(AccountDeletionEntity, {
      organizationId,
      requestedAt,
      cancellableUntil: new Date(requestedAt.getTime() + config.deletionCoolingOffMs),
      cancelledAt: null,
      begunAt: null,
    })
    const job = { organizationId, schemaName, requestedAt: requestedAt.toISOString() }
    await queue.send(em, 'delete-account', job, organization, {
      startAfterSeconds: Math.ceil(config.deletionCoolingOffMs / 1000),
    })
    const notice = { organizationId, notice: 'deletion-requested', id: randomUUID() } as const
    await queue.send(em, 'mail-data-notice', notice, organization)
    return accountDeletionResponse(requested)
  })
}
