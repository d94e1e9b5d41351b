import { decodeJwt, decodeProtectedHeader } from 'jose'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { SessionTokens } from '@pdfnorm/contracts/schema/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  postJson,
  refreshTokenIn,
  registerTestOrganization,
  registration,
  type TestOrganization,
} from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('signing in answers with a bearer token of 15 minutes and a refresh cookie of 30 days', async () => {
  const { owner, id } = await registerTestOrganization(server)
  const response = await postJson(server, '/api/auth/login', owner)

  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const tokens = SessionTokens.parse(await response.json())
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
  expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256' })
  const claims = decodeJwt(tokens.access_token)
  expect(claims).toMatchObject({ sub: owner.id, org: id, role: 'owner', sid: expect.any(String) })
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900)

  const [cookie] = response.headers.getSetCookie()
  expect(cookie?.split('; ').slice(1).sort()).toEqual([
    'HttpOnly',
    'Max-Age=2592000',
    'Path=/api/auth',
    'SameSite=Lax',
    'Secure',
  ])
})

test('a password is the same on every keyboard, however that writes its letters', async () => {
  const [password, email] = ['Ein schöner Kaffee, naïve Crème', 'letters@example.com']
  const request = { ...registration('letters', email), ownerPassword: password.normalize('NFC') }
  expect((await postJson(server, '/api/auth/register', request)).status).toBe(200)

  const logIn = (written: string) =>
    postJson(server, '/api/auth/login', { email, password: written })
  expect((await logIn(password.normalize('NFC'))).status).toBe(200)
  expect((await logIn(password.normalize('NFD'))).status).toBe(200)
  expect((await logIn('Ein schoner Kaffee, naive Creme')).status).toBe(401)
})

test('an unknown address and a wrong password cannot be told apart by the answer', async () => {
  const { owner } = await registerTestOrganization(server)
  const wrong = await postJson(server, '/api/auth/login', { ...owner, password: 'not it at all' })
  const unknown = await postJson(server, '/api/auth/login', { ...owner, email: 'x@example.com' })

  const bodies = [Problem.parse(await wrong.json()), Problem.parse(await unknown.json())]
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(bodies[0]).toMatchObject({ code: 'INVALID_CREDENTIALS' })
  expect({ ...bodies[0], requestId: '' }).toEqual({ ...bodies[1], requestId: '' })
  expect(wrong.headers.get('www-authenticate')).toContain('Bearer')
})

test.each([
  ['no address', { email: undefined }],
  ['an empty address', { email: '' }],
  ['an address of 255 characters', { email: `${'a'.repeat(243)}@example.com` }],
  ['a list of addresses', { email: ['a@example.com'] }],
  ['no password', { password: undefined }],
  ['an empty password', { password: '' }],
  ['a password of 1025 characters', { password: 'x'.repeat(1025) }],
  ['a number for a password', { password: 12_345_678 }],
  ['null', { email: null, password: null }],
])('a sign-in with %s is not valid, and nobody is signed in', async (_case, change) => {
  const { owner } = await registerTestOrganization(server)
  const answer = await postJson(server, '/api/auth/login', { ...owner, ...change })
  expect([answer.status, Problem.parse(await answer.json()).code]).toEqual([
    400,
    'VALIDATION_ERROR',
  ])
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('what nobody can have registered is wrong as any other address, whatever it holds', async () => {
  for (const email of [
    'nobody',
    'a\u0000@example.com',
    'a@example.com\r\nBcc: b@c.de',
    '\ud800@x',
  ]) {
    const answer = await postJson(server, '/api/auth/login', { email, password: 'x' })
    expect([answer.status, Problem.parse(await answer.json()).code]).toEqual([
      401,
      'INVALID_CREDENTIALS',
    ])
  }
})

test('an expired, a foreign and a broken access token are refused', async () => {
  const { fetch, accessToken } = await registerTestOrganization(server)
  const otherService = await startTestServer()
  const foreign = await registerTestOrganization(otherService)
  await otherService[Symbol.asyncDispose]()

  const [header, claims, signature = ''] = accessToken.split('.')
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  for (const token of [
    foreign.accessToken,
    `${header}.${claims}.${flipped}`,
    `${unsigned}.${claims}.`,
    'nonsense',
  ]) {
    const response = await server.fetch('/api/portal/organization', {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(401)
    expect(Problem.parse(await response.json()).code).toBe('INVALID_ACCESS_TOKEN')
  }

  expect((await fetch('/api/portal/organization')).status).toBe(200)
  server.clock.advance(15 * 60_000 + 1000)
  const expired = await fetch('/api/portal/organization')
  expect(expired.status).toBe(401)
  expect(Problem.parse(await expired.json()).detail).toContain('expired')
})

test('a refresh token works once and is replaced', async () => {
  const { refreshToken } = await registerTestOrganization(server)
  const first = await refresh(refreshToken)
  expect(first.status).toBe(200)
  const tokens = SessionTokens.parse(await first.json())
  const next = refreshTokenIn(first)
  expect(next).not.toBe(refreshToken)

  const portal = await server.fetch('/api/portal/organization', {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  })
  expect(portal.status).toBe(200)
  expect((await refresh(next)).status).toBe(200)
})

test('two tabs that refresh at once do not end the session', async () => {
  const { refreshToken } = await registerTestOrganization(server)
  const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)])
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 401])

  const winner = answers.find((answer) => answer.status === 200)
  expect(winner && (await refresh(refreshTokenIn(winner))).status).toBe(200)
})

test('a rotated refresh token that comes again after ten seconds ends the whole session', async () => {
  const { refreshToken } = await registerTestOrganization(server)
  const first = await refresh(refreshToken)
  const { access_token: accessToken } = SessionTokens.parse(await first.json())
  server.clock.advance(11_000)

  expect((await refresh(refreshToken)).status).toBe(401)
  expect((await refresh(refreshTokenIn(first))).status).toBe(401)
  const portal = await server.fetch('/api/portal/organization', {
    headers: { Authorization: `Bearer ${accessToken}` },
  })
  expect(portal.status).toBe(401)
})

test('a refresh without a cookie, with an unknown or an expired token is refused', async () => {
  const { refreshToken } = await registerTestOrganization(server)
  server.clock.advance(30 * 24 * 3_600_000 + 1000)
  const answers = [
    await server.fetch('/api/auth/refresh', { method: 'POST' }),
    await refresh('unknown'),
    await refresh(refreshToken),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(401)
    expect(Problem.parse(await answer.json()).code).toBe('INVALID_REFRESH_TOKEN')
  }
})

test('signing out ends the session at once and clears the cookie', async () => {
  const organization = await registerTestOrganization(server)
  const other = await signInAgain(organization)

  const response = await organization.fetch('/api/auth/logout', { method: 'POST' })
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^refresh_token=; Max-Age=0; Path=\/api\/auth;/,
  )
  expect((await organization.fetch('/api/portal/organization')).status).toBe(401)
  expect((await refresh(organization.refreshToken)).status).toBe(401)

  const elsewhere = await server.fetch('/api/portal/organization', {
    headers: { Authorization: `Bearer ${other}` },
  })
  expect(elsewhere.status).toBe(200)
})

test('only hashes of refresh tokens are stored', async () => {
  const { refreshToken } = await registerTestOrganization(server)
  const rows = await server.database.query<{ token_hash: string }>('select * from refresh_token')
  expect(JSON.stringify(rows)).not.toContain(refreshToken)
  expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.token_hash))).toBe(true)
})

async function refresh(token: string): Promise<Response> {
  return server.fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { Cookie: `refresh_token=${token}` },
  })
}

async function signInAgain({ owner }: TestOrganization): Promise<string> {
  const response = await postJson(server, '/api/auth/login', owner)
  return SessionTokens.parse(await response.json()).access_token
}
