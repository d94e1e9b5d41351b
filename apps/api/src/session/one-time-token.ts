import { createHash, randomBytes } from 'node:crypto'
import { defineEntity, type InferEntity, LockMode, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { enterOrganization, withLookUp } from '../database/transaction.ts'
import { type Member, MemberEntity } from '../member/member.ts'
import type { Platform } from '../platform.ts'

export type OneTimeTokenPurpose = 'verify-email' | 'reset-password' | 'accept-invite'

/** A secret that is sent by mail and works once. */
export const OneTimeTokenEntity = defineEntity({
  name: 'OneTimeToken',
  tableName: 'one_time_token',
  properties: {
    /** SHA-256 of the token, as hex. */
    tokenHash: p.text().primary(),
    organizationId: p.uuid(),
    /** Whose it is: a member's, or that of somebody who was invited. */
    memberId: p.uuid().nullable(),
    invitationId: p.uuid().nullable(),
    purpose: p.text().$type<OneTimeTokenPurpose>(),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
})
export type OneTimeToken = InferEntity<typeof OneTimeTokenEntity>

/**
 * Runs `work` in one transaction of the organization that a mailed token belongs to, if the token is one for this
 * purpose and good. The work locks what it changes and then uses the token up with `takeOneTimeToken`.
 */
export async function withOneTimeToken<Result>(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  token: string,
  purpose: OneTimeTokenPurpose,
  work: (em: EntityManager, found: OneTimeToken) => Promise<Result>,
): Promise<Result | Refusal<'TOKEN_INVALID' | 'TOKEN_EXPIRED'>> {
  const oneTimeTokenHash = hashSecretToken(token)
  return withLookUp(orm, { oneTimeTokenHash }, async (em) => {
    const found = await em.findOne(OneTimeTokenEntity, { tokenHash: oneTimeTokenHash })
    if (found === null || found.purpose !== purpose || found.usedAt) return tokenInvalid()
    if (found.expiresAt <= clock.now()) return new Refusal('TOKEN_EXPIRED', 'The link has expired.')
    await enterOrganization(em, found.organizationId)
    return work(em, found)
  })
}

/**
 * Uses a token up in the transaction of `em`: of two that come at once, one gets it. Lock what the token is about
 * before: whoever removes that locks it first, too.
 */
export async function takeOneTimeToken(
  em: EntityManager,
  { tokenHash }: Pick<OneTimeToken, 'tokenHash'>,
  now: Date,
): Promise<Refusal<'TOKEN_INVALID'> | null> {
  const taken = await em.nativeUpdate(
    OneTimeTokenEntity,
    { tokenHash, usedAt: null },
    { usedAt: now },
  )
  return taken === 1 ? null : tokenInvalid()
}

/** Locks the member of a token and uses the token up. */
export async function takeMembersToken(
  em: EntityManager,
  found: OneTimeToken,
  now: Date,
): Promise<Member | Refusal<'TOKEN_INVALID'>> {
  const member = found.memberId
    ? await em.findOne(
        MemberEntity,
        { id: found.memberId, organizationId: found.organizationId },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      )
    : null
  if (member === null) return tokenInvalid()
  return (await takeOneTimeToken(em, found, now)) ?? member
}

export function tokenInvalid(): Refusal<'TOKEN_INVALID'> {
  return new Refusal('TOKEN_INVALID', 'The link is not known or was used before.')
}

/** 256 random bits in base64url, and what of them is stored. */
export function newSecretToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashSecretToken(token) }
}

/** SHA-256 as hex: enough for a secret with 256 random bits. */
export function hashSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
