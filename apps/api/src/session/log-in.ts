import { LockMode } from '@mikro-orm/core'
import { Email } from '@pdfnorm/contracts/schema/member'
import type { LoginRequest } from '@pdfnorm/contracts/schema/session'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { v7 as uuidv7 } from 'uuid'
import { withLookUp, withOrganization } from '../database/transaction.ts'
import { MemberEntity } from '../member/member.ts'
import type { Platform } from '../platform.ts'
import { verifyPassword } from './password.ts'
import { issueTokens, refreshTokenExpiry, type SignedIn } from './issue-tokens.ts'
import { SessionEntity } from './session.ts'

/** Signs a member in. An unknown address and a wrong password get the same answer in the same time. */
export async function logIn(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'accessTokens'>,
  request: LoginRequest,
): Promise<SignedIn | Refusal<'INVALID_CREDENTIALS'>> {
  const { orm, clock, config } = platform
  const memberEmail = request.email.trim().toLowerCase()
  // What is no address is nobody's, and cannot be asked for: PostgreSQL takes no text with U+0000.
  const found = Email.safeParse(memberEmail).success
    ? await withLookUp(orm, { memberEmail }, (em) =>
        em.findOne(MemberEntity, { email: memberEmail }),
      )
    : null
  // No transaction is open while the password is checked: it takes ten milliseconds or more.
  const passwordHash = found?.passwordHash ?? null
  const right = await verifyPassword(passwordHash, request.password)
  if (!right || found === null || !found.isActive) return wrong()

  const now = clock.now()
  return withOrganization(orm, found.organizationId, async (em) => {
    // Locked and read again: a password that was reset in the meantime opens no session any more.
    const member = await em.findOne(
      MemberEntity,
      { id: found.id, organizationId: found.organizationId, passwordHash, isActive: true },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    if (member === null) return wrong()
    member.lastLoginAt = now
    const session = em.create(SessionEntity, {
      id: uuidv7(),
      organizationId: member.organizationId,
      memberId: member.id,
      createdAt: now,
      expiresAt: refreshTokenExpiry(config, now),
      revokedAt: null,
    })
    await em.flush()
    return issueTokens(platform, em, session, member)
  })
}

function wrong(): Refusal<'INVALID_CREDENTIALS'> {
  return new Refusal('INVALID_CREDENTIALS', 'The e-mail address or the password is wrong.')
}
