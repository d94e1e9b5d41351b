import { rateLimits } from '@pdfnorm/contracts/schema/rate-limit'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerTestOrganization, registration } from './organization.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'

const limited = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: limited })
})
afterAll(() => server[Symbol.asyncDispose]())

test('an address may try to sign in five times in 15 minutes', async () => {
  const answers = []
  for (let attempt = 0; attempt < 6; attempt += 1) answers.push(await tryToSignIn('192.0.2.1'))

  expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 429])
  const [first, refused] = [answers[0], answers[5]]
  expect(first?.headers.get('ratelimit-policy')).toBe('"login";q=5;w=900')
  expect(first?.headers.get('ratelimit')).toMatch(/^"login";r=4;t=\d+$/)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Problem.parse(await refused?.json()).code).toBe('RATE_LIMITED')

  expect((await tryToSignIn('192.0.2.2')).status).toBe(401)
})

test('the limit holds for attempts that come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => tryToSignIn('192.0.2.3')))
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5)
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(15)
})

test('an IPv6 client does not get a new limit with each address of its network', async () => {
  const answers = []
  for (let host = 1; host <= 6; host += 1) answers.push(await tryToSignIn(`2001:db8:1:2::${host}`))
  expect(answers.at(-1)?.status).toBe(429)
  expect((await tryToSignIn('2001:db8:1:3::1')).status).toBe(401)
})

test('only as many proxies are believed as are configured', async () => {
  const forged = (attempt: number) => `198.51.100.${attempt}, 192.0.2.9`
  const answers = []
  for (let attempt = 1; attempt <= 6; attempt += 1) answers.push(await tryToSignIn(forged(attempt)))
  expect(answers.at(-1)?.status).toBe(429)
})

test('a port, or leading zeros, make no other client', async () => {
  const forms = ['192.0.2.20', '192.0.2.20:4711', '192.0.2.20:4712', '::ffff:192.0.2.20']
  for (const address of [...forms, ...forms.slice(0, 1)]) await tryToSignIn(address)
  expect((await tryToSignIn('192.0.2.20:4713')).status).toBe(429)

  const networks = ['2001:db8:7:8::1', '[2001:db8:7:8::2]:443', '2001:0db8:0007:0008::3']
  for (const address of [...networks, ...networks.slice(0, 2)]) await tryToSignIn(address)
  expect((await tryToSignIn('2001:db8:7:8:9:9:9:9')).status).toBe(429)
})

test('a forwarded address that is none is not believed, however long it is', async () => {
  const { status } = await tryToSignIn('unknown')
  expect(status).toBe(401)
  expect((await tryToSignIn('x'.repeat(2000))).status).toBe(401)
})

test('without a trusted proxy nobody says of himself who he is', async () => {
  const own = await startTestServer({ environment: { RATE_LIMITS: 'on' } })
  const statuses = []
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    statuses.push((await tryToSignIn(`198.51.100.${attempt}`, own)).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  await own[Symbol.asyncDispose]()
})

test('a limit holds over all processes, also for attempts that come at once', async () => {
  const beside = await startBeside(server, { environment: limited })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, attempt) =>
      tryToSignIn('192.0.2.30', attempt % 2 === 0 ? server : beside),
    ),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(rateLimits.login.requests)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  await beside[Symbol.asyncDispose]()
})

test('what was refused does not lengthen the window: when it ends, a new one begins', async () => {
  const attempts = Array.from({ length: 30 }, () => tryToSignIn('192.0.2.40'))
  await Promise.all(attempts)
  const refused = await tryToSignIn('192.0.2.40')
  expect(refused.status).toBe(429)
  const window = `select expire from rate_limit where key = 'login:192.0.2.40'`
  const [before] = await server.database.query<{ expire: string }>(window)
  await tryToSignIn('192.0.2.40')
  expect(await server.database.query(window)).toEqual([before])
  const left = Math.ceil((Number(before?.expire) - Date.now()) / 1000)
  expect(Math.abs(Number(refused.headers.get('retry-after')) - left)).toBeLessThanOrEqual(2)

  await server.database.query(`update rate_limit set expire = 1 where key = 'login:192.0.2.40'`)
  const next = await tryToSignIn('192.0.2.40')
  expect(next.status).toBe(401)
  expect(next.headers.get('ratelimit')).toMatch(/^"login";r=4;t=(900|899)$/)
})

test('a member has one limit over endpoints, procedures and processes, and what is forbidden counts', async () => {
  const own = await startTestServer({ environment: limited })
  const beside = await startBeside(own, { environment: limited })
  const organization = await registerTestOrganization(own)
  await own.database.query(`update member set role = 'member' where organization_id = $1`, [
    organization.id,
  ])
  const remaining = (response: Response) =>
    /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
  const headers = { Authorization: `Bearer ${organization.accessToken}` }

  const first = await organization.fetch('/api/portal/organization')
  expect(remaining(first)).toBe(String(rateLimits.portal.requests - 1))
  const forbidden = await organization.fetch('/api/portal/api-keys', { method: 'POST' })
  expect(forbidden.status).toBe(403)
  expect(remaining(forbidden)).toBe(String(rateLimits.portal.requests - 2))
  const third = await beside.fetch('/rpc/organization.get', { headers })
  expect(third.headers.get('ratelimit-policy')).toBe(first.headers.get('ratelimit-policy'))
  expect(remaining(third)).toBe(String(rateLimits.portal.requests - 3))
  const fourth = await beside.fetch('/api/portal/stats', { headers })
  expect(remaining(fourth)).toBe(String(rateLimits.portal.requests - 4))

  await own.database.query(`update rate_limit set points = $1 where key like 'portal:%'`, [
    rateLimits.portal.requests,
  ])
  expect((await organization.fetch('/api/portal/stats')).status).toBe(429)
  const refused = await beside.fetch('/rpc/organization.get', { headers })
  expect([refused.status, remaining(refused)]).toEqual([429, '0'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await beside[Symbol.asyncDispose]()
  await own[Symbol.asyncDispose]()
})

test('the procedures of one request count each, and its answer tells the least that is left', async () => {
  const own = await startTestServer({ environment: limited })
  const { accessToken } = await registerTestOrganization(own)
  const headers = { Authorization: `Bearer ${accessToken}` }
  const names = ['organization.get', 'team.list', 'billing.info'].join()
  const together = await own.fetch(`/rpc/${names}?batch=1&input={}`, { headers })
  const left = rateLimits.portal.requests - 3
  expect(together.headers.get('ratelimit')).toMatch(new RegExp(`^"portal";r=${left};`))
  expect(together.headers.get('retry-after')).toBeNull()

  await own.database.query(`update rate_limit set points = $1 where key like 'portal:%'`, [
    rateLimits.portal.requests - 1,
  ])
  const partly = await own.fetch(`/rpc/${names}?batch=1&input={}`, { headers })
  expect(partly.status).toBe(207)
  expect(partly.headers.get('ratelimit')).toMatch(/^"portal";r=0;/)
  expect(Number(partly.headers.get('retry-after'))).toBeGreaterThan(0)
  await own[Symbol.asyncDispose]()
})

test('invitations are mails to strangers: a member sends sixty an hour, and the portal stays open', async () => {
  const own = await startTestServer({ environment: limited })
  const organization = await registerTestOrganization(own)
  const invite = (email: string) =>
    organization.fetch('/api/portal/team/invite', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, role: 'member' }),
    })
  const first = await invite('a@example.com')
  expect(first.headers.get('ratelimit')).toMatch(/^"invite";r=59;/)
  await own.database.query(`update rate_limit set points = 60 where key like 'invite:%'`)
  expect((await invite('b@example.com')).status).toBe(429)
  expect((await organization.fetch('/api/portal/team')).status).toBe(200)
  await own[Symbol.asyncDispose]()
})

test('registering is limited to three times an hour, also when it fails', async () => {
  const answers = []
  for (let attempt = 0; attempt < 4; attempt += 1) {
    answers.push(
      await postFrom('192.0.2.4', '/api/auth/register', registration('admin', 'a@example.com')),
    )
  }
  expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 429])
})

test('each API key has its own limit, and an answer tells what is left of it', async () => {
  const other = await startTestServer({ environment: { RATE_LIMITS: 'on' } })
  const organization = await registerTestOrganization(other)
  const keys = [await organization.createKey(), await organization.createKey()]
  for (const { fullKey } of keys) {
    const response = await other.fetch(`/api/reports/${'0'.repeat(64)}`, {
      headers: { 'X-Api-Key': fullKey },
    })
    const { requests, windowSeconds } = rateLimits.read
    expect(response.headers.get('ratelimit-policy')).toBe(`"read";q=${requests};w=${windowSeconds}`)
    expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"read";r=${requests - 1};`))
  }
  await other[Symbol.asyncDispose]()
})

async function tryToSignIn(address: string, process = server): Promise<Response> {
  return postFrom(address, '/api/auth/login', { email: 'x@example.com', password: 'x' }, process)
}

async function postFrom(
  address: string,
  path: string,
  body: unknown,
  process = server,
): Promise<Response> {
  return process.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  })
}
