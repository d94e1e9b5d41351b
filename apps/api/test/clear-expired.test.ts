import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearExpired } from '../src/upkeep/clear-expired.ts'
import { withExpired } from '../src/database/transaction.ts'
import { tokenMailedTo } from './mailbox.ts'
import { joinTestOrganization } from './member.ts'
import { jsonPost, postJson, registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'
import { pdf } from './pdf.ts'
import { normalized, problem, registerSubmitter } from './submitter.ts'

const dayMs = 86_400_000

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ work: true, environment: { RATE_LIMITS: 'on' } })
})
afterEach(() => server[Symbol.asyncDispose]())

const clear = (signal = new AbortController().signal) => clearExpired(server.platform, signal)

async function rows(table: string): Promise<number> {
  const [counted] = await server.database.query<{ rows: number }>(
    `select count(*)::integer as rows from ${table}`,
  )
  return counted?.rows ?? -1
}

const refresh = (token: string) =>
  server.fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { Cookie: `refresh_token=${token}` },
  })

test('what lives is left alone, of every organization', async () => {
  const one = await registerTestOrganization(server)
  const other = await registerTestOrganization(server)
  await joinTestOrganization(server, one, 'member')
  await one.fetch('/api/portal/team/invite', jsonPost({ email: 'a@example.com', role: 'member' }))
  const tables = ['session', 'refresh_token', 'one_time_token', 'invitation', 'rate_limit']
  const before = await Promise.all(tables.map(rows))
  await clear()
  expect(await Promise.all(tables.map(rows))).toEqual(before)
  expect(before.every((count) => count > 0)).toBe(true)
  expect((await refresh(other.refreshToken)).status).toBe(200)
})

test('links and invitations go days after they expired: until then it is told that they have', async () => {
  const organization = await registerTestOrganization(server)
  const email = 'grace@example.com'
  await organization.fetch('/api/portal/team/invite', jsonPost({ email, role: 'member' }))
  const token = await tokenMailedTo(server, email)
  const accept = () =>
    postJson(server, '/api/auth/accept-invite', { token, password: 'a passphrase of my own' })

  server.clock.advance(8 * dayMs)
  await clear()
  await problem(accept(), 400, 'TOKEN_EXPIRED')
  expect(await rows('invitation')).toBe(1)
  // 48 hours and the seven days.
  server.clock.advance(1.1 * dayMs)
  await clear()
  await problem(accept(), 400, 'TOKEN_INVALID')
  expect([await rows('invitation'), await rows('one_time_token')]).toEqual([0, 0])
})

test('a session that is renewed stays, and loses its old tokens; one that is not goes with all of them', async () => {
  const renewed = await registerTestOrganization(server)
  await registerTestOrganization(server)
  server.clock.advance(29 * dayMs)
  const answer = await refresh(renewed.refreshToken)
  const [cookie = ''] = answer.headers.getSetCookie()
  const token = /^refresh_token=([^;]+)/.exec(cookie)?.[1] ?? ''
  expect(await rows('refresh_token')).toBe(3)

  server.clock.advance(9 * dayMs)
  await clear()
  expect([await rows('session'), await rows('refresh_token')]).toEqual([1, 1])
  expect((await refresh(token)).status).toBe(200)
})

test('an idempotency key goes when it has expired, and its submission stays', async () => {
  const submitter = await registerSubmitter(server)
  const document = pdf({ text: 'once' })
  const key = { idempotency_key: 'order 1' }
  const { submissionId } = await normalized(submitter.submit(document, key))
  server.clock.advance(23 * 3_600_000)
  await clear()
  expect(await normalized(submitter.submit(document, key))).toMatchObject({ submissionId })

  server.clock.advance(3_600_000 + 1000)
  await clear()
  expect([await rows('idempotency_key'), await rows('submission')]).toEqual([0, 1])
  expect(await normalized(submitter.submit(document, key))).not.toMatchObject({ submissionId })
})

test('counters of windows that have ended go', async () => {
  for (let requests = 0; requests < 3; requests += 1) {
    await postJson(server, '/api/auth/forgot-password', { email: 'nobody@example.com' })
  }
  expect(await rows('rate_limit')).toBe(1)
  server.clock.advance(61 * 60_000)
  await clear()
  expect(await rows('rate_limit')).toBe(0)
})

test('thousands are cleared in steps, and a process that stops leaves the rest to the next run', async () => {
  const organization = await registerTestOrganization(server)
  await server.database.query(
    `insert into one_time_token (token_hash, organization_id, member_id, purpose, expires_at)
     select n::text, $1, $2, 'reset-password', now() - interval '30 days' from generate_series(1, 2500) n`,
    [organization.id, organization.owner.id],
  )
  const stopping = new AbortController()
  stopping.abort()
  await clear(stopping.signal)
  expect(await rows('one_time_token')).toBe(2501)
  await Promise.all([clear(), clear()])
  expect(await rows('one_time_token')).toBe(1)
})

test('whoever clears sees what has expired, and nothing else of anybody', async () => {
  const organization = await registerTestOrganization(server)
  const seen = await withExpired(server.platform.orm, new Date(), async (em) => {
    const counts: unknown[] = []
    for (const table of ['session', 'member', 'organization', 'api_key', 'invitation']) {
      counts.push(await em.execute(`select count(*)::integer as rows from ${table}`))
    }
    await em.execute(`update session set revoked_at = now()`)
    return counts
  })
  expect(seen).toEqual([[{ rows: 0 }], [{ rows: 0 }], [{ rows: 0 }], [{ rows: 0 }], [{ rows: 0 }]])
  expect((await organization.fetch('/api/portal/organization')).status).toBe(200)
})
