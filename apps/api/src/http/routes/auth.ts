import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { acceptInvite } from '../../member/accept-invite.ts'
import { registerOrganization } from '../../organization/register-organization.ts'
import type { SignedIn } from '../../session/issue-tokens.ts'
import { logIn } from '../../session/log-in.ts'
import { logOut } from '../../session/log-out.ts'
import { refreshSession } from '../../session/refresh-session.ts'
import { requestMail } from '../../session/request-mail.ts'
import { resetPassword } from '../../session/reset-password.ts'
import { verifyEmail } from '../../session/verify-email.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { clearRefreshCookie, refreshTokenOf, setRefreshCookie } from '../refresh-cookie.ts'
import { memberCallerOf } from '../request-context.ts'

export const authRoutes = routes(auth, (platform) => ({
  registerOrganization: async ({ body, req, res }) => {
    const registered = await registerOrganization(platform, body)
    if (registered instanceof Refusal) return refuse(platform.config, { req, res }, registered)
    return { status: 200, body: registered }
  },

  login: async ({ body, req, res }) => {
    const signedIn = await logIn(platform, body)
    if (signedIn instanceof Refusal) return refuse(platform.config, { req, res }, signedIn)
    setRefreshCookie(res, signedIn.refreshToken, platform.config.refreshTokenTtlMs)
    return { status: 200, body: sessionTokens(signedIn) }
  },

  refreshSession: async ({ req, res }) => {
    const signedIn = await refreshSession(platform, refreshTokenOf(req))
    if (signedIn instanceof Refusal) return refuse(platform.config, { req, res }, signedIn)
    setRefreshCookie(res, signedIn.refreshToken, platform.config.refreshTokenTtlMs)
    return { status: 200, body: sessionTokens(signedIn) }
  },

  logout: async ({ req, res }) => {
    await logOut(platform, memberCallerOf(req))
    clearRefreshCookie(res)
    return { status: 200, body: { message: 'Signed out.' } }
  },

  forgotPassword: async ({ body }) => {
    await requestMail(platform, 'reset-password', body.email)
    const message = 'If the address is registered, a mail with a link is on its way.'
    return { status: 200, body: { message } }
  },

  resetPassword: async ({ body, req, res }) => {
    const refusal = await resetPassword(platform, body)
    if (refusal) return refuse(platform.config, { req, res }, refusal)
    return { status: 200, body: { message: 'The password is set. Sign in with it.' } }
  },

  verifyEmail: async ({ body, req, res }) => {
    const refusal = await verifyEmail(platform, body.token)
    if (refusal) return refuse(platform.config, { req, res }, refusal)
    return { status: 200, body: { message: 'The address is verified.' } }
  },

  resendVerification: async ({ body }) => {
    await requestMail(platform, 'verify-email', body.email)
    const message = 'If the address waits for its verification, a mail with a link is on its way.'
    return { status: 200, body: { message } }
  },

  acceptInvite: async ({ body, req, res }) => {
    const refusal = await acceptInvite(platform, body)
    if (refusal) return refuse(platform.config, { req, res }, refusal)
    return { status: 200, body: { message: 'The invitation is accepted. Sign in.' } }
  },
}))

function sessionTokens(signedIn: SignedIn) {
  return {
    access_token: signedIn.accessToken,
    token_type: 'Bearer',
    expires_in: signedIn.accessTokenSeconds,
  } as const
}
