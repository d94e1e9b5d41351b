import { SessionTokens } from '@pdfnorm/contracts/schema/session'
import { postJson } from './organization.ts'
import type { TestServer } from './server.ts'

/** Signs a member in again, say after the former token has expired. */
export async function signIn(
  server: TestServer,
  { email, password }: { email: string; password: string },
): Promise<{ fetch: (path: string, init?: RequestInit) => Promise<Response> }> {
  const login = await postJson(server, '/api/auth/login', { email, password })
  const { access_token: accessToken } = SessionTokens.parse(await login.json())
  return {
    fetch: (path, init = {}) =>
      server.fetch(path, { ...init, headers: { Authorization: `Bearer ${accessToken}` } }),
  }
}
