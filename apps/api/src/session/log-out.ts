import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { SessionEntity } from './session.ts'

/** Ends the caller's session: its access tokens and its refresh tokens are refused from now on. */
export async function logOut(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
): Promise<void> {
  await withOrganization(orm, caller.organization.id, (em) =>
    em.nativeUpdate(SessionEntity, { id: caller.sessionId }, { revokedAt: clock.now() }),
  )
}
