import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { RegisterResponse } from '@pdfnorm/contracts/schema/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from './mailbox.ts'
import { postJson, registerTestOrganization, registration } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server[Symbol.asyncDispose]())

test('registering makes an organization on the free plan with all regions, and its owner', async () => {
  const response = await postJson(
    server,
    '/api/auth/register',
    registration('first', 'First@Example.com'),
  )

  expect(response.status).toBe(200)
  const body = RegisterResponse.parse(await response.json())
  expect(body).toMatchObject({
    organization: { name: 'Test', slug: 'first' },
    user: { email: 'first@example.com', role: 'owner', emailVerified: false },
  })

  const rows = await server.database.query('select * from organization where slug = $1', ['first'])
  expect(rows).toMatchObject([
    {
      id: body.organization.id,
      schema_name: `org_${body.organization.id.replaceAll('-', '')}`,
      contact_email: 'first@example.com',
      plan_tier: 'free',
      default_region: null,
      allowed_regions: ['ca-central-1', 'us-east-2', 'eu-central-1'],
    },
  ])
})

test('the password is stored as argon2id only', async () => {
  const { owner } = await registerTestOrganization(server)
  const rows = await server.database.query<{ password_hash: string }>(
    'select password_hash from member where email = $1',
    [owner.email],
  )
  expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('the owner gets a mail whose link verifies the address once', async () => {
  const { owner } = await registerTestOrganization(server)
  const token = await tokenMailedTo(server, owner.email)

  expect((await postJson(server, '/api/auth/verify-email', { token })).status).toBe(200)
  const rows = await server.database.query('select email_verified from member where id = $1', [
    owner.id,
  ])
  expect(rows).toEqual([{ email_verified: true }])

  const again = await postJson(server, '/api/auth/verify-email', { token })
  expect(again.status).toBe(400)
  expect(Problem.parse(await again.json()).code).toBe('TOKEN_INVALID')
})

test('the mail says the same as text and as HTML, and its token is stored nowhere', async () => {
  const { owner } = await registerTestOrganization(server)
  const [mail, ...more] = await mailsTo(server, owner.email)

  expect(more).toEqual([])
  expect(mail?.page).toBe('verify-email')
  expect(mail?.text).toContain('Content-Type: text/plain; charset=utf-8')
  expect(mail?.text).toContain(`href="${server.url}/verify-email#token=${mail?.token}"`)
  const stored = await server.database.query(
    `select t::text from one_time_token t union all select j::text from pgboss.job j`,
  )
  expect(JSON.stringify(stored)).not.toContain(mail?.token)
})

test('of two that verify with one link at the same moment one succeeds', async () => {
  const { owner } = await registerTestOrganization(server)
  const token = await tokenMailedTo(server, owner.email)
  const answers = await Promise.all(
    [1, 2, 3].map(() => postJson(server, '/api/auth/verify-email', { token })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
})

test('the link in the mail works for 24 hours', async () => {
  const { owner } = await registerTestOrganization(server)
  const token = await tokenMailedTo(server, owner.email)
  server.clock.advance(24 * 3_600_000 + 1000)

  const late = await postJson(server, '/api/auth/verify-email', { token })
  expect(late.status).toBe(400)
  expect(Problem.parse(await late.json()).code).toBe('TOKEN_EXPIRED')
})

describe('a registration is refused, and nothing of it is kept,', () => {
  const cases: [string, string, Record<string, unknown>][] = [
    ['with a reserved slug', 'SLUG_TAKEN', { orgSlug: 'admin' }],
    ['with a common password', 'WEAK_PASSWORD', { ownerPassword: 'Password123' }],
    [
      'with a common password in wide letters',
      'WEAK_PASSWORD',
      { ownerPassword: 'ｐａｓｓｗｏｒｄ１' },
    ],
    ['with a password of seven characters', 'WEAK_PASSWORD', { ownerPassword: 'ab3!xY7' }],
    ['with a run of digits for a password', 'WEAK_PASSWORD', { ownerPassword: '1234567890123' }],
    ['with a malformed address', 'INVALID_EMAIL', { ownerEmail: 'nobody' }],
    ['without a password', 'VALIDATION_ERROR', { ownerPassword: undefined }],
    ['with a password of 1025 characters', 'WEAK_PASSWORD', { ownerPassword: 'x y'.repeat(342) }],
    ['with a number for a password', 'VALIDATION_ERROR', { ownerPassword: 123_456_789 }],
    ['with a header in the address', 'INVALID_EMAIL', { ownerEmail: 'a@b.co\r\nBcc: c@d.ef' }],
    [
      'with an address of 255 characters',
      'INVALID_EMAIL',
      { ownerEmail: `${'a'.repeat(250)}@b.co` },
    ],
    ['with 65 characters before the @', 'INVALID_EMAIL', { ownerEmail: `${'a'.repeat(65)}@b.co` }],
    ['with a list of addresses', 'VALIDATION_ERROR', { ownerEmail: ['refused@example.com'] }],
    ['without an address', 'VALIDATION_ERROR', { ownerEmail: undefined }],
    ['with a slug in upper case', 'VALIDATION_ERROR', { orgSlug: 'Upper' }],
    ['with a slug of two characters', 'VALIDATION_ERROR', { orgSlug: 'ab' }],
    ['with a slug of 51 characters', 'VALIDATION_ERROR', { orgSlug: 'a'.repeat(51) }],
    ['with a slug that ends in a hyphen', 'VALIDATION_ERROR', { orgSlug: 'acme-' }],
    ['with a slug in Cyrillic', 'VALIDATION_ERROR', { orgSlug: '\u0430cme' }],
    ['with a line break after the slug', 'VALIDATION_ERROR', { orgSlug: 'acme\n' }],
    ['without a slug', 'VALIDATION_ERROR', { orgSlug: undefined }],
    ['with a name of blanks', 'VALIDATION_ERROR', { orgName: ' \t ' }],
    ['with a header in the name', 'VALIDATION_ERROR', { orgName: 'Acme\r\nBcc: x@example.com' }],
    ['with U+0000 in the name', 'VALIDATION_ERROR', { orgName: 'a\u0000b' }],
    ['with half a character in the name', 'VALIDATION_ERROR', { orgName: 'a\ud800b' }],
    ['with a name of 201 characters', 'VALIDATION_ERROR', { orgName: 'n'.repeat(201) }],
    ['with an object for a name', 'VALIDATION_ERROR', { orgName: { toString: 'x' } }],
    ['with a captcha of 4097 characters', 'VALIDATION_ERROR', { captchaToken: 'x'.repeat(4097) }],
    ['with two kinds of faults', 'VALIDATION_ERROR', { ownerEmail: 'x', ownerPassword: 'x' }],
  ]
  test.each(cases)('%s: %s', async (_case, code, change) => {
    const before = await countRows()
    const body = { ...registration('refused', 'refused@example.com'), ...change }
    const response = await postJson(server, '/api/auth/register', body)

    expect(response.status).toBe(400)
    expect(Problem.parse(await response.json()).code).toBe(code)
    expect(await countRows()).toEqual(before)
  })
})

test('a slug and an e-mail address belong to the first who registers them, in any case', async () => {
  const { slug, owner } = await registerTestOrganization(server)
  const before = await countRows()

  const sameSlug = registration(slug, 'other@example.com')
  const slugTaken = await postJson(server, '/api/auth/register', sameSlug)
  expect(Problem.parse(await slugTaken.json()).code).toBe('SLUG_TAKEN')

  const sameEmail = registration('another', owner.email.toUpperCase())
  const emailTaken = await postJson(server, '/api/auth/register', sameEmail)
  expect(Problem.parse(await emailTaken.json()).code).toBe('EMAIL_TAKEN')
  expect(await countRows()).toEqual(before)
})

test('of many simultaneous registrations with one slug exactly one succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      postJson(server, '/api/auth/register', registration('race', `race${at}@example.com`)),
    ),
  )
  expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
    200, 400, 400, 400, 400, 400, 400, 400,
  ])
})

test('a configured captcha provider decides, and one that cannot is not passed by', async () => {
  const asked: string[] = []
  const answers = ['{"success":false}', '{"success":"yes"}', '<html>', '{"success":true}']
  const provider = createServer(async (req, res) => {
    asked.push(await text(req))
    res.end(answers.shift())
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  const guarded = await startTestServer({
    environment: { CAPTCHA_VERIFY_URL: `http://127.0.0.1:${port}/`, CAPTCHA_SECRET: 'secret' },
  })
  const register = async (change: Record<string, unknown>) => {
    const body = { ...registration('captcha', 'captcha@example.com'), ...change }
    const response = await postJson(guarded, '/api/auth/register', body)
    const answer: unknown = await response.json()
    return response.status === 200 ? 'registered' : Problem.parse(answer).code
  }

  expect(await register({})).toBe('CAPTCHA_FAILED')
  expect(await register({ captchaToken: 'x', ownerPassword: 'Password123' })).toBe('WEAK_PASSWORD')
  expect(asked).toEqual([])
  expect(await register({ captchaToken: 'x' })).toBe('CAPTCHA_FAILED')
  expect(await register({ captchaToken: 'x' })).toBe('CAPTCHA_FAILED')
  expect(await register({ captchaToken: 'x' })).toBe('UNAVAILABLE')
  expect(await register({ captchaToken: 'a&b' })).toBe('registered')
  expect(asked.at(-1)).toBe('secret=secret&response=a%26b')
  provider.closeAllConnections()
  provider.close()
  const later = { captchaToken: 'x', orgSlug: 'later', ownerEmail: 'later@example.com' }
  expect(await register(later)).toBe('UNAVAILABLE')
  await guarded[Symbol.asyncDispose]()
})

async function countRows() {
  return server.database.query(`
    select (select count(*) from organization) as organizations,
           (select count(*) from member) as members,
           (select count(*) from one_time_token) as tokens`)
}
