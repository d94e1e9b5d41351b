import type { EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import type { Member } from '../member/member.ts'
import type { Platform } from '../platform.ts'
import { newSecretToken } from './one-time-token.ts'
import { RefreshTokenEntity, type Session } from './session.ts'

/** What a sign-in or a refresh gives to the browser. */
export interface SignedIn {
  accessToken: string
  accessTokenSeconds: number
  refreshToken: string
}

/**
 * Gives out the next tokens of a session, which lives as long as the newest. Of the refresh token only a hash is
 * stored.
 */
export async function issueTokens(
  { clock, config, accessTokens }: Pick<Platform, 'clock' | 'config' | 'accessTokens'>,
  em: EntityManager,
  session: Session,
  member: Pick<Member, 'id' | 'role'>,
): Promise<SignedIn> {
  const issuedAt = clock.now()
  const { token, tokenHash } = newSecretToken()
  session.expiresAt = refreshTokenExpiry(config, issuedAt)
  em.create(RefreshTokenEntity, {
    tokenHash,
    organizationId: session.organizationId,
    sessionId: session.id,
    issuedAt,
    expiresAt: session.expiresAt,
    rotatedAt: null,
  })
  return {
    accessToken: await accessTokens.issue({
      sub: member.id,
      org: session.organizationId,
      role: member.role,
      sid: session.id,
    }),
    accessTokenSeconds: Math.floor(config.accessTokenTtlMs / 1000),
    refreshToken: token,
  }
}

export function refreshTokenExpiry(
  { refreshTokenTtlMs }: Pick<Config, 'refreshTokenTtlMs'>,
  issuedAt: Date,
): Date {
  return new Date(issuedAt.getTime() + refreshTokenTtlMs)
}
