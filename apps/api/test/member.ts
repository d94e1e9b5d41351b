import type { MemberRole } from '@pdfnorm/contracts/schema/member'
import { Invitation } from '@pdfnorm/contracts/schema/member'
import { SessionTokens } from '@pdfnorm/contracts/schema/session'
import { tokenMailedTo } from './mailbox.ts'
import {
  goodPassword,
  jsonPost,
  postJson,
  refreshTokenIn,
  type TestOrganization,
} from './organization.ts'
import type { TestServer } from './server.ts'

/** A member who was invited, accepted and signed in, all over HTTP. */
export interface TestMember {
  id: string
  email: string
  accessToken: string
  refreshToken: string
  /** Calls an endpoint as this member. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** @param server one that works off its queues: the invitation comes by mail */
export async function joinTestOrganization(
  server: TestServer,
  organization: TestOrganization,
  role: Exclude<MemberRole, 'owner'>,
): Promise<TestMember> {
  const email = `${role}-${crypto.randomUUID()}@example.com`
  const invited = await organization.fetch('/api/portal/team/invite', jsonPost({ email, role }))
  const { id } = Invitation.parse(await invited.json())
  const token = await tokenMailedTo(server, email)
  await postJson(server, '/api/auth/accept-invite', { token, password: goodPassword })
  const login = await postJson(server, '/api/auth/login', { email, password: goodPassword })
  const { access_token: accessToken } = SessionTokens.parse(await login.json())
  return {
    id,
    email,
    accessToken,
    refreshToken: refreshTokenIn(login),
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers)
      headers.set('Authorization', `Bearer ${accessToken}`)
      return server.fetch(path, { ...init, headers })
    },
  }
}
