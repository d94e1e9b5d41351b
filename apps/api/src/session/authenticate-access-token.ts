import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { MemberEntity } from '../member/member.ts'
import { callingOrganization, OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { SessionEntity } from './session.ts'

/**
 * The member behind an access token. Session, member and role are read from the database each time:
 * what was revoked or changed counts at once, whatever the token says.
 */
export async function authenticateAccessToken(
  { orm, accessTokens }: Pick<Platform, 'orm' | 'accessTokens'>,
  token: string,
): Promise<MemberCaller | Refusal<'INVALID_ACCESS_TOKEN'>> {
  const claims = await accessTokens.read(token)
  if (claims === 'expired') return refused('The access token has expired. Refresh it.')
  if (claims === 'invalid') return refused('The access token is not valid.')

  return withOrganization(orm, claims.org, async (em) => {
    const session = await em.findOne(SessionEntity, { id: claims.sid, revokedAt: null })
    if (session === null) return refused('The session has ended. Sign in.')
    const member = await em.findOne(MemberEntity, { id: session.memberId, isActive: true })
    if (member === null) return refused('The member is not active any more.')
    const organization = await em.findOneOrFail(OrganizationEntity, claims.org)
    return {
      kind: 'member',
      organization: callingOrganization(organization),
      memberId: member.id,
      sessionId: session.id,
      role: member.role,
    }
  })
}

function refused(detail: string): Refusal<'INVALID_ACCESS_TOKEN'> {
  return new Refusal('INVALID_ACCESS_TOKEN', detail)
}
