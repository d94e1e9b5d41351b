import { Problem } from '@pdfnorm/contracts/schema/problem'
import { SessionTokens } from '@pdfnorm/contracts/schema/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashSecretToken } from '../src/session/one-time-token.ts'
import { mailsTo, tokenMailedTo } from './mailbox.ts'
import { postJson, registerTestOrganization, type TestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server[Symbol.asyncDispose]())

const newPassword = 'another passphrase that nobody has'

test('a forgotten password is set anew with the link in a mail', async () => {
  const { owner } = await registerTestOrganization(server)
  const token = await forget(owner.email.toUpperCase())

  const response = await reset({ token, newPassword })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ message: expect.any(String) })

  expect((await logIn(owner.email, owner.password)).status).toBe(401)
  expect((await logIn(owner.email, newPassword)).status).toBe(200)
})

test('every session of the member ends, and none of anybody else', async () => {
  const one = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  const elsewhere = await logIn(one.owner.email, one.owner.password)
  const { access_token: second } = SessionTokens.parse(await elsewhere.json())
  await reset({ token: await forget(one.owner.email), newPassword })

  expect((await one.fetch('/api/portal/organization')).status).toBe(401)
  const headers = { Authorization: `Bearer ${second}` }
  expect((await server.fetch('/api/portal/organization', { headers })).status).toBe(401)
  expect((await refresh(one)).status).toBe(401)
  expect((await other.fetch('/api/portal/organization')).status).toBe(200)
  expect((await refresh(other)).status).toBe(200)
})

test('an unknown address gets the same answer, and no mail', async () => {
  const { owner } = await registerTestOrganization(server)
  const known = await postJson(server, '/api/auth/forgot-password', { email: owner.email })
  const unknown = await postJson(server, '/api/auth/forgot-password', {
    email: 'nobody@example.com',
  })

  expect([known.status, unknown.status]).toEqual([200, 200])
  expect(await unknown.text()).toBe(await known.text())
  const pages = (await mailsTo(server, owner.email)).map(({ page }) => page)
  expect(pages.toSorted()).toEqual(['reset-password', 'verify-email'])
  expect(await mailsTo(server, 'nobody@example.com')).toEqual([])
})

test('the request does the same for every address: it leaves one job and no token', async () => {
  const idle = await startTestServer()
  const { owner } = await registerTestOrganization(idle)
  const written = () =>
    idle.database.query(`
      select (select count(*) from one_time_token where purpose = 'reset-password') as tokens,
             (select count(*) from pgboss.job where name = 'request-mail') as jobs`)

  await postJson(idle, '/api/auth/forgot-password', { email: owner.email })
  expect(await written()).toEqual([{ tokens: '0', jobs: '1' }])
  await postJson(idle, '/api/auth/forgot-password', { email: 'nobody@example.com' })
  expect(await written()).toEqual([{ tokens: '0', jobs: '2' }])
  await idle[Symbol.asyncDispose]()
})

test('a link works once, also when it is opened twice at the same moment', async () => {
  const { owner } = await registerTestOrganization(server)
  const token = await forget(owner.email)
  const answers = await Promise.all([1, 2, 3].map(() => reset({ token, newPassword })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  expect(await codeOf(reset({ token, newPassword }))).toBe('TOKEN_INVALID')
})

test('a reset ends the other links, in whichever order they were asked for', async () => {
  const { owner } = await registerTestOrganization(server)
  const first = await forget(owner.email)
  const second = await forget(owner.email)
  expect(first).not.toBe(second)

  const answers = await Promise.all([first, second].map((token) => reset({ token, newPassword })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
})

test('no more than three links are open at a time, and they stay good', async () => {
  const { owner } = await registerTestOrganization(server)
  const first = await forget(owner.email)
  for (let more = 0; more < 4; more += 1) await forget(owner.email)
  expect(await mailsTo(server, owner.email)).toHaveLength(1 + 3)
  expect((await reset({ token: first, newPassword })).status).toBe(200)

  await forget(owner.email)
  expect(await mailsTo(server, owner.email)).toHaveLength(1 + 4)
})

test('a link works for an hour', async () => {
  const { owner } = await registerTestOrganization(server)
  const token = await forget(owner.email)
  server.clock.advance(60 * 60_000 + 1000)
  expect(await codeOf(reset({ token, newPassword }))).toBe('TOKEN_EXPIRED')
  expect((await logIn(owner.email, owner.password)).status).toBe(200)
})

test('the link shows that the address is the member’s, and the one of another mail resets nothing', async () => {
  const { owner } = await registerTestOrganization(server)
  const verification = await tokenMailedTo(server, owner.email)
  expect(await codeOf(reset({ token: verification, newPassword }))).toBe('TOKEN_INVALID')
  const token = await forget(owner.email)
  expect(await codeOf(postJson(server, '/api/auth/verify-email', { token }))).toBe('TOKEN_INVALID')

  await reset({ token, newPassword })
  const rows = await server.database.query('select email_verified from member where id = $1', [
    owner.id,
  ])
  expect(rows).toEqual([{ email_verified: true }])
})

describe('a reset is refused, and the token stays good,', () => {
  const cases: [string, string, string, unknown][] = [
    ['with a short password', 'WEAK_PASSWORD', 'body.newPassword', 'short12'],
    ['with a password that is too long', 'WEAK_PASSWORD', 'body.newPassword', 'x1'.repeat(513)],
    ['without a password', 'VALIDATION_ERROR', 'body.newPassword', undefined],
    ['with a number for a password', 'VALIDATION_ERROR', 'body.newPassword', 12345678],
  ]
  test.each(cases)('%s: %s', async (_case, code, location, password) => {
    const { owner } = await registerTestOrganization(server)
    const token = await forget(owner.email)
    const response = await reset({ token, newPassword: password })
    expect(response.status).toBe(400)
    const problem = Problem.parse(await response.json())
    expect(problem.code).toBe(code)
    expect(problem.errors?.map((fault) => fault.location)).toEqual([location])
    expect((await reset({ token, newPassword })).status).toBe(200)
  })

  test('with a password that everybody tries', async () => {
    const { owner } = await registerTestOrganization(server)
    const token = await forget(owner.email)
    expect(await codeOf(reset({ token, newPassword: 'Password123' }))).toBe('WEAK_PASSWORD')
    expect((await reset({ token, newPassword })).status).toBe(200)
  })
})

describe('is refused', () => {
  const cases: [string, string, unknown][] = [
    ['an unknown token', 'TOKEN_INVALID', { token: 'x'.repeat(43), newPassword }],
    ['a token with U+0000', 'TOKEN_INVALID', { token: 'a\u0000b', newPassword }],
    ['an empty token', 'TOKEN_INVALID', { token: '', newPassword }],
    ['a token of 513 characters', 'TOKEN_INVALID', { token: 'x'.repeat(513), newPassword }],
    ['no token', 'VALIDATION_ERROR', { newPassword }],
    ['a hash for a token', 'TOKEN_INVALID', { token: hashSecretToken('x'), newPassword }],
  ]
  test.each(cases)('%s: %s', async (_case, code, body) => {
    expect(await codeOf(reset(body))).toBe(code)
  })

  test.each([
    ['a malformed address', 'INVALID_EMAIL', 'nobody'],
    ['a header in an address', 'INVALID_EMAIL', 'a@example.com\r\nBcc: b@example.com'],
    ['an address of 255 characters', 'INVALID_EMAIL', `${'a'.repeat(243)}@example.com`],
    ['a missing address', 'VALIDATION_ERROR', undefined],
    ['a list of addresses', 'VALIDATION_ERROR', ['a@example.com']],
  ])('%s: %s', async (_case, code, email) => {
    expect(await codeOf(postJson(server, '/api/auth/forgot-password', { email }))).toBe(code)
  })
})

test('a sign-in with the former password that runs during a reset leaves no session behind', async () => {
  const { owner } = await registerTestOrganization(server)
  for (let round = 0; round < 5; round += 1) {
    const [former, next] = [owner.password, `${newPassword} ${round}`]
    const token = await forget(owner.email)
    const [signedIn] = await Promise.all([
      logIn(owner.email, former),
      reset({ token, newPassword: next }),
    ])
    owner.password = next
    if (signedIn.status !== 200) continue
    const { access_token: accessToken } = SessionTokens.parse(await signedIn.json())
    const headers = { Authorization: `Bearer ${accessToken}` }
    expect((await server.fetch('/api/portal/organization', { headers })).status).toBe(401)
  }
})

/** Asks for a reset and reads the token in the mail. */
async function forget(email: string): Promise<string> {
  const response = await postJson(server, '/api/auth/forgot-password', { email })
  expect(response.status).toBe(200)
  // The mail that greets the owner may be sent after it.
  const mails = await mailsTo(server, email.toLowerCase())
  const mail = mails.findLast(({ page }) => page === 'reset-password')
  if (mail === undefined) throw new Error(`No mail to ${email}`)
  return mail.token
}

function reset(body: unknown): Promise<Response> {
  return postJson(server, '/api/auth/reset-password', body)
}

function logIn(email: string, password: string): Promise<Response> {
  return postJson(server, '/api/auth/login', { email, password })
}

function refresh({ refreshToken }: TestOrganization): Promise<Response> {
  return server.fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { Cookie: `refresh_token=${refreshToken}` },
  })
}

async function codeOf(answer: Promise<Response>): Promise<string> {
  const response = await answer
  expect(response.status).toBe(400)
  return Problem.parse(await response.json()).code
}
