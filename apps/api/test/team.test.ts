import { Invitation, TeamMember } from '@pdfnorm/contracts/schema/member'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mailsTo, tokenMailedTo } from './mailbox.ts'
import { joinTestOrganization, type TestMember } from './member.ts'
import {
  goodPassword,
  jsonPost,
  postJson,
  registerTestOrganization,
  registration,
  type TestOrganization,
} from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server[Symbol.asyncDispose]())

type Caller = Pick<TestMember, 'fetch'>

describe('an invitation', () => {
  test('makes a member of who accepts it, with the role and a verified address', async () => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    const answer = await invite(organization, { email: email.toUpperCase(), role: 'admin' })
    expect(answer.status).toBe(200)
    const invitation = Invitation.parse(await answer.json())
    expect(invitation).toMatchObject({ email, role: 'admin' })
    const ahead = new Date(invitation.expiresAt).getTime() - server.clock.now().getTime()
    expect(Math.round(ahead / 60_000)).toBe(48 * 60)

    expect(await team(organization)).toMatchObject([
      { email: organization.owner.email, role: 'owner', isActive: true },
      { id: invitation.id, email, role: 'admin', isActive: false, lastLoginAt: null },
    ])
    const [mail] = await mailsTo(server, email)
    expect(mail?.page).toBe('accept-invite')
    expect((await accept(mail?.token)).status).toBe(200)

    expect((await logIn(email)).status).toBe(200)
    expect(await team(organization)).toMatchObject([
      { role: 'owner' },
      { id: invitation.id, role: 'admin', isActive: true, emailVerified: true },
    ])
  })

  test('works once, also when it is accepted twice at the same moment', async () => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    await invite(organization, { email, role: 'member' })
    const token = await tokenMailedTo(server, email)
    const answers = await Promise.all([accept(token), accept(token), accept(token)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    expect(await codeOf(400, accept(token))).toBe('TOKEN_INVALID')
    expect(await team(organization)).toHaveLength(2)
  })

  test('works for 48 hours, and can be repeated after that', async () => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    await invite(organization, { email, role: 'member' })
    const token = await tokenMailedTo(server, email)
    server.clock.advance(48 * 3_600_000 + 1000)
    const { accessToken } = await signInAgain(organization)

    expect(await codeOf(400, accept(token))).toBe('TOKEN_EXPIRED')
    await invite(withToken(accessToken), { email, role: 'member' })
    expect((await accept(await tokenMailedTo(server, email))).status).toBe(200)
  })

  test('replaces the former one to the same address: its link, and its role', async () => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    const first = await invite(organization, { email, role: 'admin' })
    const former = await tokenMailedTo(server, email)
    const second = await invite(organization, { email, role: 'member' })
    expect(Invitation.parse(await second.json()).id).toBe(Invitation.parse(await first.json()).id)

    expect(await codeOf(400, accept(former))).toBe('TOKEN_INVALID')
    expect((await accept(await tokenMailedTo(server, email))).status).toBe(200)
    expect(await team(organization)).toMatchObject([{ role: 'owner' }, { email, role: 'member' }])
  })

  test('to a member is refused, and to one of another organization, too', async () => {
    const one = await registerTestOrganization(server)
    const other = await registerTestOrganization(server)
    const own = { email: one.owner.email.toUpperCase(), role: 'member' }
    expect(await codeOf(409, invite(one, own))).toBe('ALREADY_MEMBER')
    const foreign = { email: other.owner.email, role: 'member' }
    expect(await codeOf(400, invite(one, foreign))).toBe('EMAIL_TAKEN')
    expect(await team(one)).toHaveLength(1)
  })

  test('claims no address: of two that invite, and of who registers, the first to finish has it', async () => {
    const one = await registerTestOrganization(server)
    const other = await registerTestOrganization(server)
    const email = newAddress()
    await invite(one, { email, role: 'member' })
    const ofOne = await tokenMailedTo(server, email)
    await invite(other, { email, role: 'member' })
    const ofOther = await tokenMailedTo(server, email)
    const answers = await Promise.all([accept(ofOne), accept(ofOther)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const lost = answers.find(({ status }) => status === 400)
    expect(Problem.parse(await lost?.json()).code).toBe('EMAIL_TAKEN')

    const registering = newAddress()
    await invite(one, { email: registering, role: 'member' })
    const token = await tokenMailedTo(server, registering)
    const slug = `late-${Date.now()}`
    const registered = await postJson(server, '/api/auth/register', registration(slug, registering))
    expect(registered.status).toBe(200)
    expect(await codeOf(400, accept(token))).toBe('EMAIL_TAKEN')
    expect((await team(one)).find((member) => member.email === registering)?.isActive).toBe(false)
  })

  test('is accepted only with a password that is not weak', async () => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    await invite(organization, { email, role: 'member' })
    const token = await tokenMailedTo(server, email)
    for (const password of ['short12', 'Password123', 'x'.repeat(1025)]) {
      expect(await codeOf(400, accept(token, password))).toBe('WEAK_PASSWORD')
    }
    expect(await codeOf(400, accept(token, 12345678))).toBe('VALIDATION_ERROR')
    expect(await codeOf(400, accept('unknown'))).toBe('TOKEN_INVALID')
    expect((await accept(token)).status).toBe(200)
  })

  test.each([
    ['no token', 'VALIDATION_ERROR', { token: undefined }],
    ['an empty token', 'TOKEN_INVALID', { token: '' }],
    ['a token of 513 characters', 'TOKEN_INVALID', { token: 'x'.repeat(513) }],
    ['a number for a token', 'VALIDATION_ERROR', { token: 7 }],
    ['U+0000 for a token', 'TOKEN_INVALID', { token: '\u0000' }],
    ['another token', 'TOKEN_INVALID', { token: 'x'.repeat(43) }],
    ['no password', 'VALIDATION_ERROR', { password: undefined }],
    ['a password of 1025 characters', 'WEAK_PASSWORD', { password: 'x'.repeat(1025) }],
    ['a list for a password', 'VALIDATION_ERROR', { password: [goodPassword] }],
  ])('is not accepted with %s: %s', async (_case, code, change) => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    await invite(organization, { email, role: 'member' })
    const token = await tokenMailedTo(server, email)
    const body = { token, password: goodPassword, ...change }
    expect(await codeOf(400, postJson(server, '/api/auth/accept-invite', body))).toBe(code)
    expect(await team(organization)).toMatchObject([{ role: 'owner' }, { isActive: false }])
    expect((await accept(token)).status).toBe(200)
  })

  test('that is withdrawn is accepted no more, and its mail not sent', async () => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    const invitation = await invite(organization, { email, role: 'member' })
    const { id } = Invitation.parse(await invitation.json())
    const token = await tokenMailedTo(server, email)

    expect((await remove(organization, id)).status).toBe(200)
    expect(await codeOf(400, accept(token))).toBe('TOKEN_INVALID')
    expect(await team(organization)).toHaveLength(1)
    expect(await codeOf(404, remove(organization, id))).toBe('NOT_FOUND')
  })

  test('is one of fifty that are open; whoever accepts or is taken back makes room', async () => {
    const organization = await registerTestOrganization(server)
    const other = await registerTestOrganization(server)
    await server.database.query(
      `insert into invitation
       select gen_random_uuid(), $1, n || '@example.com', 'member', now() from generate_series(1, 49) n`,
      [organization.id],
    )
    const emails = Array.from({ length: 10 }, newAddress)
    const answers = await Promise.all(
      emails.map((email) => invite(organization, { email, role: 'member' })),
    )
    const codes = await Promise.all(
      answers
        .filter(({ status }) => status !== 200)
        .map((answer) => codeOf(400, Promise.resolve(answer))),
    )
    expect(codes).toEqual(Array.from({ length: 9 }, () => 'INVITATION_LIMIT_REACHED'))
    expect(await team(organization)).toHaveLength(1 + 50)

    const refused = { email: newAddress(), role: 'member' }
    expect(await codeOf(400, invite(organization, refused))).toBe('INVITATION_LIMIT_REACHED')
    const again = { email: '1@example.com', role: 'admin' }
    expect((await invite(organization, again)).status).toBe(200)
    expect((await invite(other, refused)).status).toBe(200)
    expect((await accept(await tokenMailedTo(server, '1@example.com'))).status).toBe(200)
    expect((await invite(organization, refused)).status).toBe(200)
  })

  const cases: [string, string, unknown][] = [
    ['as an owner', 'INVALID_ROLE', { email: 'a@example.com', role: 'owner' }],
    ['as something unknown', 'INVALID_ROLE', { email: 'a@example.com', role: 'root' }],
    ['in another case', 'INVALID_ROLE', { email: 'a@example.com', role: 'Admin' }],
    ['without a role', 'VALIDATION_ERROR', { email: 'a@example.com' }],
    ['as a number', 'VALIDATION_ERROR', { email: 'a@example.com', role: 7 }],
    ['as a list', 'VALIDATION_ERROR', { email: 'a@example.com', role: ['admin'] }],
    ['as null', 'VALIDATION_ERROR', { email: 'a@example.com', role: null }],
    ['to no address', 'INVALID_EMAIL', { email: 'nobody', role: 'member' }],
    ['to two', 'INVALID_EMAIL', { email: 'a@example.com,b@example.com', role: 'member' }],
    ['with a header', 'INVALID_EMAIL', { email: 'a@example.com\r\nBcc: x@y.z', role: 'member' }],
    ['to U+0000', 'INVALID_EMAIL', { email: 'a\u0000@example.com', role: 'member' }],
    ['to 255', 'INVALID_EMAIL', { email: `${'a'.repeat(243)}@example.com`, role: 'member' }],
    ['to a list', 'VALIDATION_ERROR', { email: ['a@example.com'], role: 'member' }],
    ['with two faults', 'VALIDATION_ERROR', { email: 'nobody', role: 'root' }],
  ]
  test.each(cases)('%s is refused: %s', async (_case, code, body) => {
    const organization = await registerTestOrganization(server)
    expect(await codeOf(400, invite(organization, body))).toBe(code)
    expect(await team(organization)).toHaveLength(1)
  })
})

describe('removing a member', () => {
  test('ends the sessions at once and frees the address', async () => {
    const organization = await registerTestOrganization(server)
    const member = await joinTestOrganization(server, organization, 'member')
    expect((await member.fetch('/api/portal/team')).status).toBe(200)

    const removed = await remove(organization, member.id)
    expect(removed.status).toBe(200)
    expect(await removed.json()).toEqual({ id: member.id, removed: true })
    expect((await member.fetch('/api/portal/team')).status).toBe(401)
    const refresh = await server.fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { Cookie: `refresh_token=${member.refreshToken}` },
    })
    expect(refresh.status).toBe(401)
    expect((await logIn(member.email)).status).toBe(401)
    expect((await invite(organization, { email: member.email, role: 'admin' })).status).toBe(200)
  })

  test('is not possible with the owner, and not across organizations', async () => {
    const one = await registerTestOrganization(server)
    const other = await registerTestOrganization(server)
    const admin = await joinTestOrganization(server, one, 'admin')
    expect(await codeOf(400, remove(admin, one.owner.id))).toBe('CANNOT_REMOVE_OWNER')
    expect(await codeOf(400, remove(one, one.owner.id))).toBe('CANNOT_REMOVE_OWNER')
    expect(await codeOf(404, remove(other, admin.id))).toBe('NOT_FOUND')
    expect(await codeOf(404, remove(other, one.owner.id))).toBe('NOT_FOUND')
    expect(await codeOf(404, remove(one, 'no-uuid'))).toBe('NOT_FOUND')
    expect(await team(one)).toHaveLength(2)
  })

  test('is what an admin may also do to oneself', async () => {
    const organization = await registerTestOrganization(server)
    const admin = await joinTestOrganization(server, organization, 'admin')
    expect((await remove(admin, admin.id)).status).toBe(200)
    expect((await admin.fetch('/api/portal/team')).status).toBe(401)
  })

  test('succeeds once when it is asked for several times at once', async () => {
    const organization = await registerTestOrganization(server)
    const member = await joinTestOrganization(server, organization, 'member')
    const answers = await Promise.all([1, 2, 3].map(() => remove(organization, member.id)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  })
})

describe('a role', () => {
  test('is changed between member and admin, and counts at once', async () => {
    const organization = await registerTestOrganization(server)
    const admin = await joinTestOrganization(server, organization, 'admin')
    const member = await joinTestOrganization(server, organization, 'member')
    const body = { email: newAddress(), role: 'member' }
    expect(await codeOf(403, invite(member, body))).toBe('INSUFFICIENT_ROLE')

    const promoted = await setRole(admin, member.id.toUpperCase(), 'admin')
    expect(promoted.status).toBe(200)
    expect(TeamMember.parse(await promoted.json())).toMatchObject({ id: member.id, role: 'admin' })
    expect((await invite(member, body)).status).toBe(200)

    expect((await setRole(member, admin.id, 'member')).status).toBe(200)
    expect(await codeOf(403, invite(admin, body))).toBe('INSUFFICIENT_ROLE')
  })

  test('of somebody who is invited is changed, too, but not to owner', async () => {
    const organization = await registerTestOrganization(server)
    const email = newAddress()
    const invitation = await invite(organization, { email, role: 'member' })
    const { id } = Invitation.parse(await invitation.json())
    expect(await codeOf(400, setRole(organization, id, 'owner'))).toBe('INVALID_ROLE')
    expect((await setRole(organization, id, 'admin')).status).toBe(200)
    await accept(await tokenMailedTo(server, email))
    expect(await team(organization)).toMatchObject([{ role: 'owner' }, { id, role: 'admin' }])
  })

  test('of owner moves: the former owner is an admin, and nobody else is one', async () => {
    const organization = await registerTestOrganization(server)
    const member = await joinTestOrganization(server, organization, 'member')
    const moved = await setRole(organization, member.id, 'owner')
    expect(TeamMember.parse(await moved.json())).toMatchObject({ id: member.id, role: 'owner' })
    expect(await roles(organization)).toEqual({
      [organization.owner.id]: 'admin',
      [member.id]: 'owner',
    })
    expect(await codeOf(403, setRole(organization, member.id, 'owner'))).toBe('INSUFFICIENT_ROLE')
  })

  test('of owner stays with one when it is given to several at once', async () => {
    const organization = await registerTestOrganization(server)
    const joined = await Promise.all(
      [1, 2, 3, 4].map(() => joinTestOrganization(server, organization, 'member')),
    )
    const answers = await Promise.all(joined.map(({ id }) => setRole(organization, id, 'owner')))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 403, 403, 403,
    ])
    const having = Object.values(await roles(organization))
    expect(having.filter((role) => role === 'owner')).toHaveLength(1)
  })

  test('is not lost between giving the ownership to a member and removing the same one', async () => {
    const organization = await registerTestOrganization(server)
    const admin = await joinTestOrganization(server, organization, 'admin')
    for (let round = 0; round < 4; round += 1) {
      const member = await joinTestOrganization(server, organization, 'member')
      const [given, removed] = await Promise.all([
        setRole(organization, member.id, 'owner'),
        remove(admin, member.id),
      ])
      const owners = Object.entries(await roles(organization)).filter(
        ([, role]) => role === 'owner',
      )
      expect(owners).toHaveLength(1)
      expect([
        [200, 400],
        [404, 200],
      ]).toContainEqual([given.status, removed.status])
      if (given.status === 200) await setRole(member, organization.owner.id, 'owner')
    }
  })

  test('is not changed by oneself, by a plain member, or above the own', async () => {
    const organization = await registerTestOrganization(server)
    const admin = await joinTestOrganization(server, organization, 'admin')
    const member = await joinTestOrganization(server, organization, 'member')
    const { owner } = organization
    expect(await codeOf(400, setRole(organization, owner.id, 'admin'))).toBe(
      'CANNOT_CHANGE_OWN_ROLE',
    )
    expect(await codeOf(400, setRole(admin, admin.id.toUpperCase(), 'member'))).toBe(
      'CANNOT_CHANGE_OWN_ROLE',
    )
    expect(await codeOf(403, setRole(admin, member.id, 'owner'))).toBe('INSUFFICIENT_ROLE')
    expect(await codeOf(403, setRole(admin, owner.id, 'member'))).toBe('INSUFFICIENT_ROLE')
    expect(await codeOf(403, setRole(member, admin.id, 'member'))).toBe('INSUFFICIENT_ROLE')
    expect(await codeOf(403, remove(member, admin.id))).toBe('INSUFFICIENT_ROLE')
    expect((await member.fetch('/api/portal/team')).status).toBe(200)
  })

  test('of another organization’s member does not exist', async () => {
    const one = await registerTestOrganization(server)
    const other = await registerTestOrganization(server)
    const member = await joinTestOrganization(server, one, 'member')
    expect(await codeOf(404, setRole(other, member.id, 'owner'))).toBe('NOT_FOUND')
    expect(await codeOf(404, setRole(other, one.owner.id, 'member'))).toBe('NOT_FOUND')
    expect(Object.values(await roles(other))).toEqual(['owner'])
  })

  const cases: [string, unknown][] = [
    ['INVALID_ROLE', { role: 'root' }],
    ['INVALID_ROLE', { role: '' }],
    ['VALIDATION_ERROR', { role: 7 }],
    ['VALIDATION_ERROR', {}],
    ['VALIDATION_ERROR', []],
  ]
  test.each(cases)('that is none is refused: %s', async (code, body) => {
    const organization = await registerTestOrganization(server)
    const path = `/api/portal/team/${organization.owner.id}/role`
    const put = { ...jsonPost(body), method: 'PUT' }
    expect(await codeOf(400, organization.fetch(path, put))).toBe(code)
  })
})

function newAddress(): string {
  return `${crypto.randomUUID()}@example.com`
}

function invite(caller: Caller, body: unknown): Promise<Response> {
  return caller.fetch('/api/portal/team/invite', jsonPost(body))
}

function accept(token: unknown, password: unknown = goodPassword): Promise<Response> {
  return postJson(server, '/api/auth/accept-invite', { token, password })
}

function remove(caller: Caller, id: string): Promise<Response> {
  return caller.fetch(`/api/portal/team/${id}`, { method: 'DELETE' })
}

function setRole(caller: Caller, id: string, role: string): Promise<Response> {
  return caller.fetch(`/api/portal/team/${id}/role`, { ...jsonPost({ role }), method: 'PUT' })
}

function logIn(email: string): Promise<Response> {
  return postJson(server, '/api/auth/login', { email, password: goodPassword })
}

async function signInAgain({ owner }: TestOrganization): Promise<{ accessToken: string }> {
  const response = await logIn(owner.email)
  const { access_token: accessToken } = z
    .object({ access_token: z.string() })
    .parse(await response.json())
  return { accessToken }
}

function withToken(accessToken: string): Caller {
  const headers = { Authorization: `Bearer ${accessToken}` }
  return {
    fetch: (path, init = {}) =>
      server.fetch(path, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
      }),
  }
}

async function team(caller: Caller): Promise<TeamMember[]> {
  const response = await caller.fetch('/api/portal/team')
  return z.array(TeamMember).parse(await response.json())
}

async function roles(organization: TestOrganization): Promise<Record<string, string>> {
  const rows = await server.database.query<{ id: string; role: string }>(
    'select id, role from member where organization_id = $1',
    [organization.id],
  )
  return Object.fromEntries(rows.map(({ id, role }) => [id, role]))
}

async function codeOf(status: number, answer: Promise<Response>): Promise<string> {
  const response = await answer
  const problem = Problem.parse(await response.json())
  expect([response.status, problem.code]).toEqual([status, problem.code])
  return problem.code
}
