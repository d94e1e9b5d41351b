import { randomUUID } from 'node:crypto'
import type { ApiKeyScope, CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { CreatedApiKey as CreatedKey } from '@pdfnorm/contracts/schema/api-key'
import { RegisterResponse, SessionTokens } from '@pdfnorm/contracts/schema/session'
import type { TestServer } from './server.ts'

/** An organization that was registered over HTTP, with its owner signed in. */
export interface TestOrganization {
  id: string
  slug: string
  owner: { id: string; email: string; password: string }
  accessToken: string
  /** The value of the refresh cookie. */
  refreshToken: string
  /** Calls an endpoint as the owner. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  createKey: (scopes?: ApiKeyScope[]) => Promise<CreatedApiKey>
}

export const goodPassword = 'a passphrase that nobody else has'

export async function registerTestOrganization(
  server: Pick<TestServer, 'fetch'>,
): Promise<TestOrganization> {
  const slug = `org-${randomUUID().slice(0, 13)}`
  const email = `${slug}@example.com`
  const registered = RegisterResponse.parse(
    await expectStatus(200, postJson(server, '/api/auth/register', registration(slug, email))),
  )
  const login = await postJson(server, '/api/auth/login', { email, password: goodPassword })
  const { access_token: accessToken } = SessionTokens.parse(await expectStatus(200, login))

  const fetchAsOwner: TestOrganization['fetch'] = (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('Authorization', `Bearer ${accessToken}`)
    return server.fetch(path, { ...init, headers })
  }
  return {
    id: registered.organization.id,
    slug,
    owner: { id: registered.user.id, email, password: goodPassword },
    accessToken,
    refreshToken: refreshTokenIn(login),
    fetch: fetchAsOwner,
    createKey: async (scopes = ['normalize', 'read']) => {
      const response = fetchAsOwner('/api/portal/api-keys', jsonPost({ name: 'test', scopes }))
      return CreatedKey.parse(await expectStatus(200, response))
    },
  }
}

export function registration(slug: string, email: string) {
  return { orgName: 'Test', orgSlug: slug, ownerEmail: email, ownerPassword: goodPassword }
}

export function postJson(
  server: Pick<TestServer, 'fetch'>,
  path: string,
  body: unknown,
): Promise<Response> {
  return server.fetch(path, jsonPost(body))
}

export function jsonPost(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** The value of the refresh cookie that an answer sets. */
export function refreshTokenIn(response: Response): string {
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith('refresh_token='))
  return /^refresh_token=([^;]*)/.exec(cookie ?? '')?.[1] ?? ''
}

async function expectStatus(
  status: number,
  answer: Response | Promise<Response>,
): Promise<unknown> {
  const response = await answer
  const body: unknown = await response.json()
  if (response.status !== status) {
    throw new Error(`Expected ${status}, got ${response.status}: ${JSON.stringify(body)}`)
  }
  return body
}
