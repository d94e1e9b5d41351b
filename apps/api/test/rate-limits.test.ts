import { rateLimits } from '@pdfnorm/contracts/schema/rate-limit'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerTestOrganization, registration } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
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

async function tryToSignIn(address: string): Promise<Response> {
  return postFrom(address, '/api/auth/login', { email: 'x@example.com', password: 'x' })
}

async function postFrom(address: string, path: string, body: unknown): Promise<Response> {
  return server.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  })
}
