import { createHash, randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'

export type OneTimeTokenPurpose = 'verify-email' | 'reset-password' | 'accept-invite'

/** A secret that is sent by mail and works once. */
export const OneTimeTokenEntity = defineEntity({
  name: 'OneTimeToken',
  tableName: 'one_time_token',
  properties: {
    /** SHA-256 of the token, as hex. */
    tokenHash: p.text().primary(),
    organizationId: p.uuid(),
    memberId: p.uuid(),
    purpose: p.text().$type<OneTimeTokenPurpose>(),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
})

/** 256 random bits in base64url, and what of them is stored. */
export function newSecretToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashSecretToken(token) }
}

/** SHA-256 as hex: enough for a secret with 256 random bits. */
export function hashSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
