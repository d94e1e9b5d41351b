import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { ResetPasswordRequest } from '@pdfnorm/contracts/schema/session'
import type { Platform } from '../platform.ts'
import { OneTimeTokenEntity, takeMembersToken, withOneTimeToken } from './one-time-token.ts'
import { hashPassword, weakness } from './password.ts'
import { SessionEntity } from './session.ts'

/** Sets a new password with the token from a mail. Every session ends, and so does every other such token. */
export async function resetPassword(
  platform: Pick<Platform, 'orm' | 'clock'>,
  { token, newPassword }: ResetPasswordRequest,
): Promise<Refusal<'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'WEAK_PASSWORD'> | null> {
  const weak = weakness(newPassword)
  if (weak) return weak

  const now = platform.clock.now()
  return withOneTimeToken(platform, token, 'reset-password', async (em, found) => {
    // Only a good token gets here: nobody else makes the service hash passwords.
    const passwordHash = await hashPassword(newPassword)
    // A sign-in with the former password that runs at the same time either has made its session or sees the new one.
    const member = await takeMembersToken(em, found, now)
    if (member instanceof Refusal) return member

    member.passwordHash = passwordHash
    // Whoever has the token reads the mails of the address.
    member.emailVerified = true
    await em.nativeUpdate(
      OneTimeTokenEntity,
      { memberId: member.id, purpose: 'reset-password', usedAt: null },
      { usedAt: now },
    )
    await em.nativeUpdate(
      SessionEntity,
      { memberId: member.id, revokedAt: null },
      { revokedAt: now },
    )
    return null
  })
}
