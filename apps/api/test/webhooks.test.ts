import { limits } from '@pdfnorm/contracts/schema/limit'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import {
  CreatedWebhook,
  DefaultWebhookSecret,
  RotatedDefaultWebhookSecret,
  RotatedWebhookSecret,
  WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { joinTestOrganization } from './member.ts'
import { jsonPost, registerTestOrganization, type TestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'
import { problem } from './submitter.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const path = '/api/portal/webhooks'
const wanted = { url: 'https://example.com/hook', events: ['normalization.success'] }

function jsonPut(body: unknown): RequestInit {
  return { ...jsonPost(body), method: 'PUT' }
}

async function create(organization: TestOrganization, body: object = {}): Promise<CreatedWebhook> {
  const response = await organization.fetch(path, jsonPost({ ...wanted, ...body }))
  expect(response.status).toBe(201)
  return CreatedWebhook.parse(await response.json())
}

async function list(organization: Pick<TestOrganization, 'fetch'>) {
  const response = await organization.fetch(path)
  expect(response.status).toBe(200)
  return z.array(WebhookConfiguration.strict()).parse(await response.json())
}

test('a webhook is created with a secret that is shown once, and stored where only the service can read it', async () => {
  const organization = await registerTestOrganization(server)
  const response = await organization.fetch(path, jsonPost(wanted))
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const { secret, ...webhook } = CreatedWebhook.strict().parse(await response.json())

  expect(webhook).toMatchObject({ ...wanted, active: true, lastDeliveryAt: null })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await list(organization)).toEqual([webhook])

  const stored = await server.database.query<{ secret: Buffer }>(
    'select sealed_secret as secret from webhook_secret where signer_id = $1',
    [webhook.id],
  )
  expect(stored).toHaveLength(1)
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(stored[0]?.secret.includes(secret)).toBe(false)
  expect(stored[0]?.secret.includes(bytes)).toBe(false)
})

test('of an event that is named twice, one is kept', async () => {
  const organization = await registerTestOrganization(server)
  const events = ['normalization.failure', 'normalization.failure', 'normalization.success']
  const { id } = await create(organization, { events })
  expect(await list(organization)).toMatchObject([
    { id, events: ['normalization.failure', 'normalization.success'] },
  ])
})

test('an organization has ten webhooks at most, also when it creates them all at once', async () => {
  const organization = await registerTestOrganization(server)
  const answers = await Promise.all(
    Array.from({ length: limits.webhooksPerOrganization + 5 }, () =>
      organization.fetch(path, jsonPost(wanted)),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(5)
  for (const answer of refused) {
    expect(answer.status).toBe(400)
    expect(Problem.parse(await answer.json()).code).toBe('WEBHOOK_LIMIT_REACHED')
  }

  const [first] = await list(organization)
  expect(await list(organization)).toHaveLength(limits.webhooksPerOrganization)
  await organization.fetch(`${path}/${first?.id}`, { method: 'DELETE' })
  await create(organization)
})

describe('a webhook that is not valid is refused, and nothing is kept:', () => {
  const cases: [string, unknown, string][] = [
    ['no URL', { url: undefined }, 'body.url'],
    ['a text that is no URL', { url: 'here' }, 'body.url'],
    ['another protocol', { url: 'ftp://example.com/' }, 'body.url'],
    ['a number', { url: 7 }, 'body.url'],
    ['a URL that is too long', { url: `https://example.com/${'x'.repeat(2048)}` }, 'body.url'],
    ['a U+0000 in the URL', { url: 'https://example.com/\u0000' }, 'body.url'],
    ['no events', { events: undefined }, 'body.events'],
    ['an empty list of events', { events: [] }, 'body.events'],
    ['an unknown event', { events: ['normalization.started'] }, 'body.events.0'],
    ['an event of the service', { events: ['webhook.test'] }, 'body.events.0'],
    ['a number for the events', { events: 7 }, 'body.events'],
    ['too many events', { events: Array(4).fill('normalization.success') }, 'body.events'],
    ['a text for active', { active: 'yes' }, 'body.active'],
  ]
  let organization: TestOrganization
  beforeAll(async () => {
    organization = await registerTestOrganization(server)
  })
  test.each(cases)('%s', async (_case, change, location) => {
    const body = { ...wanted, ...(change as object) }
    const refused = await problem(organization.fetch(path, jsonPost(body)), 400, 'VALIDATION_ERROR')
    expect(refused.errors?.map((fault) => fault.location)).toEqual([location])
    expect(await list(organization)).toEqual([])
  })
})

test('an address of our own network is refused when it is given, however it is written', async () => {
  const guarded = await startTestServer()
  const organization = await registerTestOrganization(guarded)
  const { id } = await create(organization, { url: 'https://93.184.215.14/hook' })
  const forbidden = [
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://[fd00::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://user:password@93.184.215.14/',
  ]
  for (const url of forbidden) {
    const created = organization.fetch(path, jsonPost({ ...wanted, url }))
    await problem(created, 400, 'WEBHOOK_URL_FORBIDDEN')
    const changed = organization.fetch(`${path}/${id}`, jsonPut({ url }))
    await problem(changed, 400, 'WEBHOOK_URL_FORBIDDEN')
  }
  expect(await list(organization)).toMatchObject([{ id, url: 'https://93.184.215.14/hook' }])
  await guarded[Symbol.asyncDispose]()
})

test('what a change leaves out stays as it is, and so does the secret', async () => {
  const organization = await registerTestOrganization(server)
  const { secret: _, ...webhook } = await create(organization)
  const change = async (body: object) => {
    const response = await organization.fetch(`${path}/${webhook.id}`, jsonPut(body))
    expect(response.status).toBe(200)
    return WebhookConfiguration.strict().parse(await response.json())
  }

  expect(await change({})).toEqual(webhook)
  expect(await change({ active: false })).toEqual({ ...webhook, active: false })
  const url = 'https://example.org/other'
  expect(await change({ url })).toEqual({ ...webhook, active: false, url })
  const events = ['normalization.rejected']
  const changed = await change({ events, active: true })
  expect(changed).toEqual({ ...webhook, url, events })
  expect(await list(organization)).toEqual([changed])

  const refused = organization.fetch(`${path}/${webhook.id}`, jsonPut({ url: 'x', events: [] }))
  const { errors } = await problem(refused, 400, 'VALIDATION_ERROR')
  expect(errors?.map(({ location }) => location)).toEqual(['body.url', 'body.events'])
  expect(await list(organization)).toEqual([changed])
})

test('a webhook that is deleted is gone, with its secrets', async () => {
  const organization = await registerTestOrganization(server)
  const { id } = await create(organization)
  const response = await organization.fetch(`${path}/${id}`, { method: 'DELETE' })
  expect([response.status, await response.json()]).toEqual([200, { id, deleted: true }])

  expect(await list(organization)).toEqual([])
  const secrets = 'select from webhook_secret where signer_id = $1'
  expect(await server.database.query(secrets, [id])).toEqual([])
  await problem(organization.fetch(`${path}/${id}`, { method: 'DELETE' }), 404, 'NOT_FOUND')
})

test("another organization's webhook is as unknown as none", async () => {
  const [one, other] = [
    await registerTestOrganization(server),
    await registerTestOrganization(server),
  ]
  const { id, secret: _, ...webhook } = await create(one)
  const [unknown, malformed] = ['0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11', 'x']
  const post = { method: 'POST' }

  for (const foreign of [id, unknown, malformed]) {
    const calls: [string, RequestInit][] = [
      ['', jsonPut({ active: false })],
      ['', { method: 'DELETE' }],
      ['/test', post],
      ['/rotate-secret', post],
      ['/replay', post],
      ['/deliveries', {}],
    ]
    for (const [suffix, init] of calls) {
      await problem(other.fetch(`${path}/${foreign}${suffix}`, init), 404, 'NOT_FOUND')
    }
  }
  expect(await list(other)).toEqual([])
  expect(await list(one)).toEqual([{ id, ...webhook }])
})

test('a plain member sees the webhooks, and neither changes them nor sees what they carry', async () => {
  const organization = await registerTestOrganization(server)
  const { id, secret: _, ...webhook } = await create(organization)
  const member = await joinTestOrganization(server, organization, 'member')
  const admin = await joinTestOrganization(server, organization, 'admin')
  expect(await list(member)).toEqual([{ id, ...webhook }])

  const post = { method: 'POST' }
  const calls: [string, RequestInit][] = [
    ['', jsonPost(wanted)],
    [`/${id}`, jsonPut({ active: false })],
    [`/${id}`, { method: 'DELETE' }],
    [`/${id}/test`, post],
    [`/${id}/rotate-secret`, post],
    [`/${id}/replay`, post],
    [`/${id}/deliveries`, {}],
    ['/dead', {}],
    ['/default-secret', {}],
    ['/default-secret/rotate', post],
  ]
  for (const [suffix, init] of calls) {
    await problem(member.fetch(path + suffix, init), 403, 'INSUFFICIENT_ROLE')
  }
  expect((await admin.fetch(`${path}/${id}`, jsonPut({ active: false }))).status).toBe(200)
})

test('a secret is replaced by another one, which is shown once', async () => {
  const organization = await registerTestOrganization(server)
  const { id, secret } = await create(organization)
  const before = Date.now()
  const response = await organization.fetch(`${path}/${id}/rotate-secret`, { method: 'POST' })
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const rotated = RotatedWebhookSecret.strict().parse(await response.json())

  expect(rotated.id).toBe(id)
  expect(rotated.secret).not.toBe(secret)
  const validForMs = Date.parse(rotated.previousValidUntil) - before
  const dayMs = 24 * 60 * 60 * 1000
  expect(validForMs).toBeGreaterThanOrEqual(dayMs - 1)
  expect(validForMs).toBeLessThan(dayMs + 60_000)
})

test('the default secret is one for the organization, is shown again, and can be replaced', async () => {
  const organization = await registerTestOrganization(server)
  const read = async () => {
    const response = await organization.fetch(`${path}/default-secret`)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    return DefaultWebhookSecret.strict().parse(await response.json()).secret
  }
  // Also when it is made by several at once.
  const [secret, ...others] = await Promise.all([read(), read(), read(), read()])
  expect(new Set([secret, ...others]).size).toBe(1)

  const response = await organization.fetch(`${path}/default-secret/rotate`, { method: 'POST' })
  const rotated = RotatedDefaultWebhookSecret.strict().parse(await response.json())
  expect(rotated.secret).not.toBe(secret)
  expect(await read()).toBe(rotated.secret)

  const other = await registerTestOrganization(server)
  const theirs = await other.fetch(`${path}/default-secret`)
  expect(DefaultWebhookSecret.parse(await theirs.json()).secret).not.toBe(rotated.secret)
})

test('a deactivated organization reads its webhooks and changes nothing', async () => {
  const organization = await registerTestOrganization(server)
  const { id } = await create(organization)
  await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
  expect(await list(organization)).toHaveLength(1)
  for (const suffix of ['', `/${id}/test`, `/${id}/rotate-secret`]) {
    const refused = organization.fetch(path + suffix, jsonPost(wanted))
    await problem(refused, 403, 'ORGANIZATION_INACTIVE')
  }
})
