import type { EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import { newSecretToken } from './one-time-token.ts'
import { RefreshTokenEntity } from './session.ts'

/** A refresh token as its browser gets it, once. */
export interface IssuedRefreshToken {
  token: string
  expiresAt: Date
}

/** Gives out the next refresh token of a session; only its hash is stored. */
export function issueRefreshToken(
  em: EntityManager,
  config: Pick<Config, 'refreshTokenTtlMs'>,
  session: { id: string; organizationId: string },
  now: Date,
): IssuedRefreshToken {
  const { token, tokenHash } = newSecretToken()
  const expiresAt = new Date(now.getTime() + config.refreshTokenTtlMs)
  em.create(RefreshTokenEntity, {
    tokenHash,
    organizationId: session.organizationId,
    sessionId: session.id,
    issuedAt: now,
    expiresAt,
    rotatedAt: null,
  })
  return { token, expiresAt }
}
