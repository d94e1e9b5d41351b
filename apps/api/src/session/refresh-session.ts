import { LockMode } from '@mikro-orm/core'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { enterOrganization, withLookUp } from '../database/transaction.ts'
import { MemberEntity } from '../member/member.ts'
import type { Platform } from '../platform.ts'
import { issueTokens, type SignedIn } from './issue-tokens.ts'
import { hashSecretToken } from './one-time-token.ts'
import { RefreshTokenEntity, SessionEntity } from './session.ts'

/** Two tabs may refresh at the same moment: within this time a rotated token is a race, not a theft. */
const raceMs = 10_000

/**
 * Exchanges a refresh token for new tokens. A token works once; one that comes again later revokes
 * its session, because either its owner or a thief holds a copy (RFC 9700, 4.14.2).
 */
export async function refreshSession(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'accessTokens'>,
  token: string | null,
): Promise<SignedIn | Refusal<'INVALID_REFRESH_TOKEN'>> {
  if (token === null) return refused('The cookie is missing. Sign in.')

  const { orm, clock } = platform
  const now = clock.now()
  const refreshTokenHash = hashSecretToken(token)
  return withLookUp(orm, { refreshTokenHash }, async (em) => {
    const known = await em.findOne(RefreshTokenEntity, { tokenHash: refreshTokenHash })
    if (known === null) return refused('The token is not known. Sign in.')
    await enterOrganization(em, known.organizationId)

    // The lock makes one of two simultaneous refreshes the first; the other sees it rotated.
    const session = await em.findOne(
      SessionEntity,
      { id: known.sessionId, organizationId: known.organizationId },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    // A removed member's sessions are gone; while this one is locked, so is nothing else of it.
    if (session === null) return refused('The session has ended. Sign in.')
    await em.refresh(known)
    if (session.revokedAt) return refused('The session has ended. Sign in.')
    if (known.rotatedAt) {
      const isRace = now.getTime() - known.rotatedAt.getTime() <= raceMs
      if (!isRace) session.revokedAt = now
      return refused('The token was used before. Sign in.')
    }
    if (known.expiresAt <= now) return refused('The token has expired. Sign in.')

    const member = await em.findOne(MemberEntity, { id: session.memberId, isActive: true })
    if (member === null) return refused('The member is not active any more.')
    known.rotatedAt = now
    return issueTokens(platform, em, session, member)
  })
}

function refused(detail: string): Refusal<'INVALID_REFRESH_TOKEN'> {
  return new Refusal('INVALID_REFRESH_TOKEN', detail)
}
