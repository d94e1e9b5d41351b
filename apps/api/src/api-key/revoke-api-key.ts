import type { RevokedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { ApiKeyEntity } from './api-key.ts'

/** DELETE /api/portal/api-keys/{id}: refused from the next request on. Doing it again changes nothing. */
export async function revokeApiKey(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
  id: string,
): Promise<RevokedApiKey | Refusal<'NOT_FOUND'> | ChangeRefusal> {
  return changeAsMember(orm, caller, leastRole.changeApiKeys, async (em) => {
    const key = await em.findOne(ApiKeyEntity, { id })
    if (key === null) return new Refusal('NOT_FOUND', 'The organization has no such key.')
    key.revokedAt ??= clock.now()
    return { id, isActive: false }
  })
}
