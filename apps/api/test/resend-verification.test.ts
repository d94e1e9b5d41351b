import { Problem } from '@pdfnorm/contracts/schema/problem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from './mailbox.ts'
import { postJson, registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server[Symbol.asyncDispose]())

const resend = (email: unknown) => postJson(server, '/api/auth/resend-verification', { email })
const verify = (token: string) => postJson(server, '/api/auth/verify-email', { token })

test('the mail that verifies an address comes again, and the former link stays good', async () => {
  const { owner } = await registerTestOrganization(server)
  const first = await tokenMailedTo(server, owner.email)
  expect((await resend(owner.email.toUpperCase())).status).toBe(200)
  const mails = await mailsTo(server, owner.email)
  expect(mails.map(({ page }) => page)).toEqual(['verify-email', 'verify-email'])
  expect(mails[1]?.token).not.toBe(first)
  expect((await verify(first)).status).toBe(200)
})

test('after the first link has expired, the new one verifies', async () => {
  const { owner } = await registerTestOrganization(server)
  const first = await tokenMailedTo(server, owner.email)
  server.clock.advance(24 * 3_600_000 + 1000)
  expect(Problem.parse(await (await verify(first)).json()).code).toBe('TOKEN_EXPIRED')
  await resend(owner.email)
  expect((await verify(await tokenMailedTo(server, owner.email))).status).toBe(200)
})

test('a verified, an unknown and an unverified address get the same answer, and only the last a mail', async () => {
  const verified = await registerTestOrganization(server)
  await verify(await tokenMailedTo(server, verified.owner.email))
  const waiting = await registerTestOrganization(server)
  const answers = []
  for (const email of [verified.owner.email, 'nobody@example.com', waiting.owner.email]) {
    const answer = await resend(email)
    answers.push([answer.status, await answer.text()])
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.[0]).toBe(200)
  expect(await mailsTo(server, verified.owner.email)).toHaveLength(1)
  expect(await mailsTo(server, 'nobody@example.com')).toEqual([])
  expect(await mailsTo(server, waiting.owner.email)).toHaveLength(2)
})

test('three mails an hour go to an address, whoever asks for them', async () => {
  const { owner } = await registerTestOrganization(server)
  for (let times = 0; times < 5; times += 1) await resend(owner.email)
  expect(await mailsTo(server, owner.email)).toHaveLength(3)
  server.clock.advance(3_600_000 + 1000)
  await resend(owner.email)
  expect(await mailsTo(server, owner.email)).toHaveLength(4)
})

test('a client asks three times an hour', async () => {
  await using limited = await startTestServer({ environment: { RATE_LIMITS: 'on' } })
  const ask = (path: string) => postJson(limited, path, { email: 'nobody@example.com' })
  const statuses = []
  for (let times = 0; times < 4; times += 1) {
    statuses.push((await ask('/api/auth/resend-verification')).status)
  }
  expect(statuses).toEqual([200, 200, 200, 429])
  expect((await ask('/api/auth/forgot-password')).status).toBe(200)
})

test.each([
  ['a malformed address', 'INVALID_EMAIL', 'nobody'],
  ['a header in an address', 'INVALID_EMAIL', 'a@example.com\r\nBcc: b@example.com'],
  ['an address of 255 characters', 'INVALID_EMAIL', `${'a'.repeat(243)}@example.com`],
  ['no address', 'VALIDATION_ERROR', undefined],
  ['a list', 'VALIDATION_ERROR', ['a@example.com']],
])('%s is refused: %s', async (_case, code, email) => {
  const answer = await resend(email)
  expect([answer.status, Problem.parse(await answer.json()).code]).toEqual([400, code])
})
