import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { enterOrganization, withLookUp } from '../database/transaction.ts'
import { MemberEntity } from '../member/member.ts'
import type { Platform } from '../platform.ts'
import { hashSecretToken, OneTimeTokenEntity } from './one-time-token.ts'

/** Takes the token from the verification mail; each works once. */
export async function verifyEmail(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  token: string,
): Promise<Refusal<'TOKEN_INVALID' | 'TOKEN_EXPIRED'> | null> {
  const now = clock.now()
  const oneTimeTokenHash = hashSecretToken(token)
  return withLookUp(orm, { oneTimeTokenHash }, async (em) => {
    const known = await em.findOne(OneTimeTokenEntity, { tokenHash: oneTimeTokenHash })
    if (known === null || known.purpose !== 'verify-email' || known.usedAt) {
      return new Refusal('TOKEN_INVALID', 'The link is not known or was used before.')
    }
    if (known.expiresAt <= now) return new Refusal('TOKEN_EXPIRED', 'The link has expired.')

    await enterOrganization(em, known.organizationId)
    known.usedAt = now
    const member = await em.findOneOrFail(MemberEntity, known.memberId)
    member.emailVerified = true
    return null
  })
}
