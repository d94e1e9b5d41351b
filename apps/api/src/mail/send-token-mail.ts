import { withOrganization } from '../database/transaction.ts'
import { InvitationEntity } from '../member/invitation.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { hashSecretToken, OneTimeTokenEntity } from '../session/one-time-token.ts'
import { mailedToken } from './issue-token-mail.ts'
import { tokenMail } from './token-mail.ts'

/** Sends the mail with the token of a seed; one that is used, expired or withdrawn by now is not sent any more. */
export async function sendTokenMail(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'mailer' | 'secretsKey'>,
  { organizationId, seed }: { organizationId: string; seed: string },
): Promise<void> {
  const { orm, clock, config, mailer, secretsKey } = platform
  const token = mailedToken(secretsKey, seed)
  const content = await withOrganization(orm, organizationId, async (em) => {
    const found = await em.findOne(OneTimeTokenEntity, {
      tokenHash: hashSecretToken(token),
      usedAt: null,
      expiresAt: { $gt: clock.now() },
    })
    if (found === null) return null
    const { purpose, memberId, invitationId } = found
    const receiver =
      (memberId && (await em.findOne(MemberEntity, memberId))) ||
      (invitationId && (await em.findOne(InvitationEntity, invitationId)))
    if (!receiver) return null
    const { name } = await em.findOneOrFail(OrganizationEntity, organizationId)
    return { purpose, to: receiver.email, organizationName: name }
  })
  if (content === null) return
  await mailer.send({ id: seed, ...tokenMail(config, { ...content, token }) })
}
