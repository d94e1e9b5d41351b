import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** One sign-in, and the family of refresh tokens that came out of it. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    memberId: p.uuid(),
    createdAt: p.datetime(3),
    /** When its newest refresh token does. */
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
  },
})

export type Session = InferEntity<typeof SessionEntity>

export const RefreshTokenEntity = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_token',
  properties: {
    /** SHA-256 of the token, as hex. */
    tokenHash: p.text().primary(),
    organizationId: p.uuid(),
    sessionId: p.uuid(),
    issuedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** When its successor was given out; a second use after that is a reuse. */
    rotatedAt: p.datetime(3).nullable(),
  },
})
