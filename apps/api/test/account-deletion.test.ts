import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AccountDeletion } from '@pdfnorm/contracts/schema/account-deletion'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeExpired } from '../src/artifact/remove-expired.ts'
import { deleteAccount } from '../src/data-protection/delete-account.ts'
import { exportedTables } from '../src/data-protection/exported-tables.ts'
import type { Platform } from '../src/platform.ts'
import { exportOf } from './export.ts'
import { holdNormalizer } from './held-normalizer.ts'
import { mailsTo } from './mailbox.ts'
import { joinTestOrganization } from './member.ts'
import { jsonPost, postJson, registration, type TestOrganization } from './organization.ts'
import { pdf } from './pdf.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import { signIn } from './sign-in.ts'
import { storageThat } from './storage.ts'
import {
  formOf,
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  storedFiles,
  type Submitter,
} from './submitter.ts'

const cancelPath = '/api/portal/data-deletion/cancel'
const statusPath = '/api/portal/data-deletion/status'
const coolingOffMs = limits.deletionCoolingOffSeconds * 1000
const unstopped = { signal: new AbortController().signal }

test('an account is deleted when its cooling-off period is over, with all that was its own, and nothing else', async () => {
  await using server = await startTestServer({
    work: true,
    environment: { DELETION_COOLING_OFF: '3s' },
  })
  const mine = await registerSubmitter(server)
  const theirs = await registerSubmitter(server)
  const { organization } = mine
  const shared = pdf({ text: 'shared' })
  const { sha256 } = await normalizeSuccessfully(mine, shared)
  await normalizeSuccessfully(theirs, shared)
  const own = await normalizeSuccessfully(mine, pdf({ text: 'mine alone' }))
  await mine.submit(pdf({ text: 'keyed' }), { idempotency_key: 'a key' })
  await organization.fetch(
    '/api/portal/team/invite',
    jsonPost({ email: 'guest@example.com', role: 'member' }),
  )
  await exportOf(organization)
  const [, ready] = await mailsTo(server, organization.owner.email)
  expect(ready?.text).toContain('Subject: Your export is ready')

  const { status, cancellableUntil, requestedAt } = await requestDeletion(organization)
  expect(status).toBe('pending')
  expect(Date.parse(cancellableUntil) - Date.parse(requestedAt)).toBe(3000)
  await expect
    .poll(() => rowsOf(server, organization), { interval: 100, timeout: 25_000 })
    .toEqual([])
  await expect
    .poll(async () => (await storedFiles(server)).length, { interval: 50, timeout: 20_000 })
    .toBe(2)

  const files = await storedFiles(server)
  expect(files).not.toContainEqual(expect.stringContaining(own.sha256))
  expect((await theirs.get(`/api/artifacts/${sha256}`)).status).toBe(200)
  expect((await theirs.get(`/api/attestations/${sha256}`)).status).toBe(200)
  await problem(organization.fetch('/api/portal/organization'), 401, 'INVALID_ACCESS_TOKEN')
  await problem(mine.get(`/api/artifacts/${sha256}`), 401, 'INVALID_API_KEY')
  const refreshed = server.fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { Cookie: `refresh_token=${organization.refreshToken}` },
  })
  await problem(refreshed, 401, 'INVALID_REFRESH_TOKEN')
  expect(await allMails(server)).not.toContain(organization.owner.email)
  expect(await allMails(server)).not.toContain('guest@example.com')
  expect(await allMails(server)).toContain(theirs.organization.owner.email)

  const again = registration(organization.slug, organization.owner.email)
  expect((await postJson(server, '/api/auth/register', again)).status).toBe(200)
})

test('the owner and the contact of an organization are told of its deletion and of its cancel, and others are not', async () => {
  await using server = await startTestServer({ work: true })
  const { organization } = await registerSubmitter(server)
  const admin = await joinTestOrganization(server, organization, 'admin')
  const contact = 'Contact@example.com'
  await organization.fetch('/api/portal/organization/settings', {
    ...jsonPost({ contact_email: contact }),
    method: 'PUT',
  })
  const { cancellableUntil } = await requestDeletion(organization)
  await mailsTo(server, contact)
  await organization.fetch(cancelPath, { method: 'DELETE' })

  for (const address of [organization.owner.email, contact.toLowerCase()]) {
    const mails = (await mailsTo(server, address)).slice(-2)
    expect(mails[0]?.text).toContain('Subject: Your organization will be deleted')
    expect(mails[0]?.text).toContain(cancellableUntil)
    expect(mails[1]?.text).toContain('Subject: Your organization will not be deleted')
  }
  expect(await mailsTo(server, admin.email)).toHaveLength(1)
})

describe('step by step', () => {
  let server: TestServer
  let mine: Submitter
  let organization: TestOrganization
  beforeAll(async () => {
    server = await startTestServer()
  })
  beforeEach(async () => {
    mine = await registerSubmitter(server)
    organization = mine.organization
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('a request stays the one that it is, also when two come at once', async () => {
    await problem(organization.fetch(statusPath), 404, 'NO_PENDING_DELETION')
    const requests = await Promise.all([1, 2, 3].map(() => requestDeletion(organization)))
    const [first] = requests
    expect(requests).toEqual([first, first, first])
    expect(Date.parse(first?.cancellableUntil ?? '') - Date.parse(first?.requestedAt ?? '')).toBe(
      coolingOffMs,
    )
    server.clock.advance(60_000)
    expect(await requestDeletion(organization)).toEqual(first)
    expect(await deletionStatus()).toEqual(first)
    expect(await jobs()).toHaveLength(1)
  })

  test('a request is cancelled in time, and another one has its own time', async () => {
    await problem(organization.fetch(cancelPath, { method: 'DELETE' }), 404, 'NO_PENDING_DELETION')
    const first = await requestDeletion(organization)
    const cancelled = await organization.fetch(cancelPath, { method: 'DELETE' })
    expect(cancelled.status).toBe(200)
    expect(AccountDeletion.parse(await cancelled.json())).toMatchObject({
      status: 'cancelled',
      requestedAt: first.requestedAt,
      cancellableUntil: first.cancellableUntil,
    })
    expect((await deletionStatus()).status).toBe('cancelled')
    await problem(organization.fetch(cancelPath, { method: 'DELETE' }), 404, 'NO_PENDING_DELETION')

    server.clock.advance(60_000)
    const second = await requestDeletion(organization)
    expect(second.status).toBe('pending')
    expect(second.cancellableUntil > first.cancellableUntil).toBe(true)

    // The job of the first request finds that it is not its turn, whenever it comes.
    server.clock.advance(coolingOffMs - 30_000)
    await runDeletion(first)
    expect((await (await owner()).fetch(statusPath)).status).toBe(200)
    server.clock.advance(30_000)
    await runDeletion(first)
    expect(await rowsOf(server, organization)).not.toEqual([])
    await runDeletion(second)
    expect(await rowsOf(server, organization)).toEqual([])
  })

  test('a cancelled deletion deletes nothing', async () => {
    const request = await requestDeletion(organization)
    await organization.fetch(cancelPath, { method: 'DELETE' })
    server.clock.advance(coolingOffMs)
    const before = await rowsOf(server, organization)
    await runDeletion(request)
    expect(await rowsOf(server, organization)).toEqual(before)
  })

  test('when the period is over, nothing cancels it any more', async () => {
    const request = await requestDeletion(organization)
    server.clock.advance(coolingOffMs)
    const { fetch } = await owner()
    await problem(fetch(cancelPath, { method: 'DELETE' }), 400, 'COOLING_OFF_EXPIRED')
    expect(AccountDeletion.parse(await (await fetch(statusPath)).json())).toEqual(request)
    expect((await fetch('/api/portal/data', { method: 'DELETE' })).status).toBe(202)
  })

  test('a job that comes too early comes again, and does nothing before', async () => {
    const request = await requestDeletion(organization)
    await runDeletion(request)
    expect(await jobs()).toHaveLength(2)
    expect((await organization.fetch('/api/portal/organization')).status).toBe(200)
  })

  test('a deletion that is interrupted anywhere goes on where it was', async () => {
    const { sha256 } = await normalizeSuccessfully(mine, pdf({ text: 'interrupted' }))
    const request = await requestDeletion(organization)
    server.clock.advance(coolingOffMs)

    const { platform } = server
    const killed = () => Promise.reject(new Error('killed'))
    const dying: Partial<Platform>[] = [
      { payments: throwing('killed') },
      { mailer: { send: killed, forget: killed } },
      { orm: dyingAt(platform.orm, 'delete from submission ') },
      { orm: dyingAt(platform.orm, 'delete from organization') },
    ]
    await server.database.query(
      `insert into subscription (organization_id, customer_id, cancels_at_period_end)
       values ($1, $2, false)`,
      [organization.id, `cus_${organization.id}`],
    )
    for (const broken of dying) {
      await expect(runDeletion(request, broken)).rejects.toThrow('killed')
      await problem(organization.fetch('/api/portal/organization'), 401, 'INVALID_ACCESS_TOKEN')
      const { email, password } = organization.owner
      await problem(
        postJson(server, '/api/auth/login', { email, password }),
        401,
        'INVALID_CREDENTIALS',
      )
    }
    const unreachable = storageThat(platform.objects, { delete: killed })
    await runDeletion(request, { objects: unreachable })
    expect(await rowsOf(server, organization)).toEqual([])
    expect(await ownFiles()).toHaveLength(1)

    // After the rows nothing but the job knows of the organization; what could not be removed is tried again.
    await runDeletion(request)
    server.clock.advance(11 * 60 * 1000)
    await removeExpired(platform, unstopped.signal)
    expect(await storedFiles(server)).not.toContainEqual(expect.stringContaining(sha256))
    expect(await ownFiles()).toEqual([])
  })

  test('two workers that delete the same account do it once', async () => {
    await normalizeSuccessfully(mine, pdf({ text: 'both' }))
    const request = await requestDeletion(organization)
    server.clock.advance(coolingOffMs)
    await Promise.all([runDeletion(request), runDeletion(request)])
    expect(await rowsOf(server, organization)).toEqual([])
    expect(await ownFiles()).toEqual([])
  })

  test('a document that is being normalized ends before its organization goes', async () => {
    const held = holdNormalizer()
    await using beside = await startBeside(server, { normalizer: held })
    const request = await requestDeletion(organization)
    server.clock.advance(coolingOffMs)
    const running = beside.fetch('/api/normalize', {
      method: 'POST',
      headers: { 'X-Api-Key': mine.key },
      body: formOf(pdf({ text: 'running' })),
    })
    await held.arrived(1)
    await mine.submit(pdf({ text: 'waiting' }), {}, { Prefer: 'respond-async' })

    await runDeletion(request)
    expect(await jobs('normalize-submission')).toEqual([])
    expect(
      await server.database.query('select status from submission where organization_id = $1', [
        organization.id,
      ]),
    ).toEqual([{ status: 'IN_PROGRESS' }])
    await problem(mine.get('/api/batches'), 401, 'INVALID_API_KEY')

    held.release()
    expect((await running).status).toBe(200)
    await runDeletion(request)
    expect(await rowsOf(server, organization)).toEqual([])
    await removeExpired(server.platform, unstopped.signal)
    expect(await ownFiles()).toEqual([])
  })

  test('an upload that was let in before the end leaves nothing behind', async () => {
    const request = await requestDeletion(organization)
    server.clock.advance(coolingOffMs)
    const { objects } = server.platform
    await using beside = await startBeside(server)
    const late = storageThat(objects, {
      async adopt(staged, region, key) {
        await runDeletion(request)
        await objects.adopt(staged, region, key)
      },
    })
    Object.assign(beside.platform, { objects: late })
    const answer = await beside.fetch('/api/normalize', {
      method: 'POST',
      headers: { 'X-Api-Key': mine.key },
      body: formOf(pdf({ text: 'too late' })),
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await rowsOf(server, organization)).toEqual([])
    server.clock.advance(25 * 60 * 60 * 1000)
    await removeExpired(server.platform, unstopped.signal)
    expect(await ownFiles()).toEqual([])
  })

  test('a deactivated organization can still be deleted, and keep itself', async () => {
    await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
    await requestDeletion(organization)
    expect((await organization.fetch(cancelPath, { method: 'DELETE' })).status).toBe(200)
    const request = await requestDeletion(organization)
    server.clock.advance(coolingOffMs)
    await runDeletion(request)
    expect(await rowsOf(server, organization)).toEqual([])
  })

  test("mails of the organization's people are removed, and those of others stay", async () => {
    const directory = join(server.config.dataDirectory, 'mail')
    await mkdir(directory, { recursive: true })
    await writeFile(
      join(directory, '1.eml'),
      `From: x\r\nTo: ${organization.owner.email}\r\n\r\nHi`,
    )
    await writeFile(
      join(directory, '2.eml'),
      `From: x\r\nTo: not-${organization.owner.email}\r\n\r\nHi`,
    )
    const request = await requestDeletion(organization)
    server.clock.advance(coolingOffMs)
    await runDeletion(request)
    expect(await readdir(directory)).toEqual(['2.eml'])
  })

  function owner() {
    return signIn(server, organization.owner)
  }

  async function deletionStatus(): Promise<AccountDeletion> {
    return AccountDeletion.parse(await (await organization.fetch(statusPath)).json())
  }

  async function runDeletion(
    { requestedAt }: AccountDeletion,
    changes: Partial<Platform> = {},
  ): Promise<void> {
    const schemaName = `org_${organization.id.replaceAll('-', '')}`
    const job = { organizationId: organization.id, schemaName, requestedAt }
    await deleteAccount({ ...server.platform, ...changes }, job, unstopped)
  }

  async function jobs(queue = 'delete-account'): Promise<object[]> {
    return server.database.query(
      `select id from pgboss.job where name = $1 and data ->> 'organizationId' = $2`,
      [queue, organization.id],
    )
  }

  async function ownFiles(): Promise<string[]> {
    const own = `org_${organization.id.replaceAll('-', '')}/`
    return (await storedFiles(server)).filter((file) => file.includes(own))
  }
})

async function requestDeletion({ fetch }: TestOrganization): Promise<AccountDeletion> {
  const response = await fetch('/api/portal/data', { method: 'DELETE' })
  expect(response.status).toBe(202)
  return AccountDeletion.parse(await response.json())
}

/** The tables that have rows of an organization, and the queues that have jobs about it. */
async function rowsOf({ database }: TestServer, { id }: TestOrganization): Promise<string[]> {
  const tables = Object.keys(exportedTables).map(
    (table) =>
      `select '${table}' as name from ${table}
       where ${table === 'organization' ? 'id' : 'organization_id'} = $1`,
  )
  const found = await database.query<{ name: string }>(
    `${tables.join(' union ')} union
     select name from pgboss.job where data ->> 'organizationId' = $1::text and not (name = 'delete-account' and state <> 'created')`,
    [id],
  )
  return found.map(({ name }) => name).toSorted()
}

async function allMails({ config }: TestServer): Promise<string> {
  const directory = join(config.dataDirectory, 'mail')
  const names = await readdir(directory)
  const mails = await Promise.all(names.map((name) => readFile(join(directory, name), 'latin1')))
  return mails.join('\n')
}

/** A database that dies at the first statement that begins so. */
function dyingAt(orm: Platform['orm'], statement: string): Platform['orm'] {
  return new Proxy(orm, {
    get(target, name) {
      return name === 'em'
        ? { fork: () => dyingManager(target.em.fork(), statement) }
        : Reflect.get(target, name)
    },
  })
}

function dyingManager(em: Platform['orm']['em'], statement: string): Platform['orm']['em'] {
  return new Proxy(em, {
    get(target, name) {
      if (name === 'transactional') {
        return (work: (em: Platform['orm']['em']) => Promise<unknown>) =>
          target.transactional((inner) => work(dyingManager(inner, statement)))
      }
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...parameters: unknown[]) => {
        if (name === 'execute' && String(parameters[0]).startsWith(statement))
          throw new Error('killed')
        return value.apply(target, parameters)
      }
    },
  })
}

function throwing(message: string): NonNullable<Platform['payments']> {
  return new Proxy({} as NonNullable<Platform['payments']>, {
    get: () => () => Promise.reject(new Error(message)),
  })
}
