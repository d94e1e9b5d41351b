import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import type { Organization } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import type { SecretsKey } from '../secrets-key.ts'
import {
  hashSecretToken,
  OneTimeTokenEntity,
  type OneTimeTokenPurpose,
} from '../session/one-time-token.ts'

/**
 * Gives out a one-time token and has it mailed, both in the transaction of `em`: the mail goes out when, and only when,
 * that commits, and a mail server that does not answer holds nobody up.
 *
 * @returns when the token expires
 */
export async function issueTokenMail(
  { clock, config, queue, secretsKey }: Pick<Platform, 'clock' | 'config' | 'queue' | 'secretsKey'>,
  em: EntityManager,
  organization: Pick<Organization, 'id' | 'schemaName' | 'planTier'>,
  purpose: OneTimeTokenPurpose,
  receiver: { memberId: string } | { invitationId: string },
): Promise<Date> {
  const seed = randomUUID()
  const expiresAt = new Date(clock.now().getTime() + tokenTtlMs(config, purpose))
  await em.insert(OneTimeTokenEntity, {
    tokenHash: hashSecretToken(mailedToken(secretsKey, seed)),
    organizationId: organization.id,
    memberId: null,
    invitationId: null,
    ...receiver,
    purpose,
    expiresAt,
    usedAt: null,
  })
  await queue.send(em, 'send-mail', { organizationId: organization.id, seed }, organization)
  return expiresAt
}

/**
 * The token that belongs to a seed. The queue keeps the seed, the database the token's hash: neither is enough to use
 * it without the service's secret, and a mail that is sent again has the same link.
 */
export function mailedToken(secretsKey: SecretsKey, seed: string): string {
  return secretsKey.derive(`mailed token ${seed}`, 32).toString('base64url')
}

/** How long a token works, in milliseconds. */
export function tokenTtlMs(
  config: Pick<Config, 'verifyEmailTtlMs' | 'passwordResetTtlMs' | 'inviteTtlMs'>,
  purpose: OneTimeTokenPurpose,
): number {
  return {
    'verify-email': config.verifyEmailTtlMs,
    'reset-password': config.passwordResetTtlMs,
    'accept-invite': config.inviteTtlMs,
  }[purpose]
}
