import type { EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import { newSecretToken } from './one-time-token.ts'
import { RefreshTokenEntity } from './session.ts'

/**
 * Gives out the next refresh token of a session; only its hash is stored.
 *
 * @returns the token as its browser gets it, once
 */
export function issueRefreshToken(
  em: EntityManager,
  config: Pick<Config, 'refreshTokenTtlMs'>,
  session: { id: string; organizationId: string },
  now: Date,
): string {
  const { token, tokenHash } = newSecretToken()
  em.create(RefreshTokenEntity, {
    tokenHash,
    organizationId: session.organizationId,
    sessionId: session.id,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + config.refreshTokenTtlMs),
    rotatedAt: null,
  })
  return token
}
