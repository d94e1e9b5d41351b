import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Platform } from '../platform.ts'
import { takeMembersToken, withOneTimeToken } from './one-time-token.ts'

/** Takes the token from the verification mail; each works once. */
export async function verifyEmail(
  platform: Pick<Platform, 'orm' | 'clock'>,
  token: string,
): Promise<Refusal<'TOKEN_INVALID' | 'TOKEN_EXPIRED'> | null> {
  return withOneTimeToken(platform, token, 'verify-email', async (em, found) => {
    const member = await takeMembersToken(em, found, platform.clock.now())
    if (member instanceof Refusal) return member
    member.emailVerified = true
    return null
  })
}
