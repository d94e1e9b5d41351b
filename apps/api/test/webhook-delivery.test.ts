import { createHmac } from 'node:crypto'
import { currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { limits } from '@pdfnorm/contracts/schema/limit'
import {
  RotatedWebhookSecret,
  WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import { TestEvent } from '@pdfnorm/contracts/schema/webhook-event'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { withOrganization } from '../src/database/transaction.ts'
import { queues } from '../src/job/queues.ts'
import { announceEvent } from '../src/webhook/announce-event.ts'
import { deliverEvent } from '../src/webhook/deliver-event.ts'
import { tidyEvents } from '../src/webhook/tidy-events.ts'
import {
  createWebhook,
  deadLetters,
  deliverAll,
  deliveriesOf,
  hurry,
  replay,
  sendTest,
} from './deliveries.ts'
import { mailsTo } from './mailbox.ts'
import { joinTestOrganization } from './member.ts'
import { jsonPost, registerTestOrganization, type TestOrganization } from './organization.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import { problem } from './submitter.ts'
import {
  type ReceivedEvent,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const sends = 1 + limits.webhookRetries

let server: TestServer
/** Works off no queue. */
let idle: TestServer
let receiver: WebhookReceiver
let organization: TestOrganization
beforeAll(async () => {
  server = await startTestServer({
    work: true,
    // Members stay signed in while the clock moves on.
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', ACCESS_TOKEN_TTL: '100d' },
  })
  idle = await startTestServer({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await idle[Symbol.asyncDispose]()
})
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  organization = await registerTestOrganization(server)
})
afterEach(async () => {
  receiver.answer(() => 204)
  await receiver[Symbol.asyncDispose]()
})

const path = '/api/portal/webhooks'

async function webhookNow(id: string): Promise<WebhookConfiguration | undefined> {
  const response = await organization.fetch(path)
  const all = z.array(WebhookConfiguration).parse(await response.json())
  return all.find((webhook) => webhook.id === id)
}

function change(id: string, body: object): Promise<Response> {
  return organization.fetch(`${path}/${id}`, { ...jsonPost(body), method: 'PUT' })
}

/** Checks a request with an implementation of Standard Webhooks that is not ours. */
function verified(secret: string, { body, headers }: ReceivedEvent): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

function serviceSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

test('a test event is delivered at once, signed in both ways, and the log shows it', async () => {
  const { id, secret } = await createWebhook(organization, receiver.url('/hook?to=me'))
  const eventId = await sendTest(organization, id)
  const [request] = await receiver.got(1, '/hook?to=me')
  if (request === undefined) throw new Error('Nothing came')
  await deliverAll(server)

  const event = TestEvent.strict().parse(verified(secret, request))
  expect(JSON.parse(request.body)).toEqual(event)
  expect(event).toMatchObject({
    event: 'webhook.test',
    webhookId: id,
    apiVersion: currentApiVersion,
  })
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(request.body)),
    'webhook-id': eventId,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'x-service-signature': serviceSignature(secret, request.body),
  })

  expect(await deliveriesOf(organization, id)).toEqual([
    {
      eventId,
      event: 'webhook.test',
      status: 'delivered',
      attempts: [
        {
          at: expect.any(String),
          statusCode: 204,
          error: null,
          durationMs: expect.any(Number),
        },
      ],
      createdAt: event.timestamp,
      nextAttemptAt: null,
    },
  ])
  const { lastDeliveryAt } = (await webhookNow(id)) ?? {}
  expect(Date.parse(lastDeliveryAt ?? '')).toBeGreaterThanOrEqual(Date.parse(event.timestamp))
  expect(await deadLetters(organization)).toEqual([])
})

test('a test reaches a webhook that is not active yet', async () => {
  const { id, secret } = await createWebhook(organization, receiver.url(), { active: false })
  await sendTest(organization, id)
  const [request] = await receiver.got(1)
  expect(request && verified(secret, request)).toMatchObject({ event: 'webhook.test' })
  await deliverAll(server)
})

test('what fails is sent six times with the same bytes and id, and then it is a dead letter', async () => {
  receiver.answer(() => 500)
  const { id, secret } = await createWebhook(organization, receiver.url())
  const eventId = await sendTest(organization, id)
  await deliverAll(server)

  expect(receiver.received).toHaveLength(sends)
  const [first] = receiver.received
  for (const request of receiver.received) {
    expect(request.body).toBe(first?.body)
    expect(request.headers['webhook-id']).toBe(eventId)
    expect(verified(secret, request)).toMatchObject({ webhookId: id })
  }

  const [letter, ...others] = await deadLetters(organization)
  expect(others).toEqual([])
  const attempts = letter?.attempts ?? []
  expect(letter).toEqual({
    eventId,
    webhookId: id,
    url: receiver.url(),
    event: 'webhook.test',
    payload: JSON.parse(first?.body ?? ''),
    attempts: Array.from({ length: sends }, () => ({
      at: expect.any(String),
      statusCode: 500,
      error: 'The receiver answered 500.',
      durationMs: expect.any(Number),
    })),
    firstAttemptAt: attempts[0]?.at,
    lastAttemptAt: attempts.at(-1)?.at,
    deadAt: expect.any(String),
  })
  expect(attempts.map(({ at }) => at).toSorted()).toEqual(attempts.map(({ at }) => at))
  expect(await deliveriesOf(organization, id)).toMatchObject([
    { eventId, status: 'dead', nextAttemptAt: null, attempts },
  ])
  expect((await webhookNow(id))?.lastDeliveryAt).toBeNull()
})

test('each retry follows its schedule, give or take a fifth', async () => {
  receiver.answer(() => 503)
  const { id } = await createWebhook(organization, receiver.url())
  await sendTest(organization, id)
  for (const [index, scheduledMs] of server.config.webhookRetryScheduleMs.entries()) {
    await expect
      .poll(async () => (await deliveriesOf(organization, id))[0]?.attempts.length, {
        interval: 20,
      })
      .toBe(index + 1)
    const [delivery] = await deliveriesOf(organization, id)
    const sentAt = Date.parse(delivery?.attempts.at(-1)?.at ?? '')
    const delayMs = Date.parse(delivery?.nextAttemptAt ?? '') - sentAt
    expect(delayMs).toBeGreaterThanOrEqual(scheduledMs * 0.8)
    expect(delayMs).toBeLessThan(scheduledMs * 1.2 + 5000)
    await hurry(server)
  }
  await deliverAll(server)
  expect(receiver.received).toHaveLength(sends)
})

test('a receiver that asks for time gets it', async () => {
  receiver.answer(() => ({ status: 429, headers: { 'Retry-After': '3600' } }))
  const { id } = await createWebhook(organization, receiver.url())
  const before = Date.now()
  await sendTest(organization, id)
  await receiver.got(1)
  await expect
    .poll(async () => (await deliveriesOf(organization, id))[0]?.attempts.length, {
      interval: 20,
      timeout: 20_000,
    })
    .toBe(1)
  const [delivery] = await deliveriesOf(organization, id)
  const next = Date.parse(delivery?.nextAttemptAt ?? '')
  expect(next - before).toBeGreaterThanOrEqual(hourMs)
  expect(next - before).toBeLessThan(hourMs + 60_000)
  receiver.answer(() => 204)
  await deliverAll(server)
})

test('a redirect is not followed, and a connection that breaks has an error and no status', async () => {
  receiver.answer(() => ({ status: 302, headers: { Location: receiver.url('/elsewhere') } }))
  const redirecting = await createWebhook(organization, receiver.url('/redirect'))
  const silent = await startWebhookReceiver()
  const gone = await createWebhook(organization, silent.url())
  await silent[Symbol.asyncDispose]()

  await sendTest(organization, redirecting.id)
  await sendTest(organization, gone.id)
  await deliverAll(server)
  expect(receiver.received.map((request) => request.path)).toEqual(
    Array.from({ length: sends }, () => '/redirect'),
  )
  expect((await deliveriesOf(organization, redirecting.id))[0]?.attempts[0]).toMatchObject({
    statusCode: 302,
    error: 'The receiver answered 302: redirects are not followed.',
  })
  expect((await deliveriesOf(organization, gone.id))[0]?.attempts[0]).toMatchObject({
    statusCode: null,
    error: expect.stringContaining('CONNECTION_FAILED'),
  })
})

test('a dead letter is replayed with a fresh sequence, the same bytes and the same id', async () => {
  receiver.answer((_path, before) => (before < sends + 2 ? 500 : 200))
  const { id, secret } = await createWebhook(organization, receiver.url())
  const eventId = await sendTest(organization, id)
  await deliverAll(server)
  expect(await deadLetters(organization)).toHaveLength(1)

  const response = await replay(organization, eventId)
  expect([response.status, await response.json()]).toEqual([200, { eventId, status: 'queued' }])
  await deliverAll(server)
  expect(receiver.received).toHaveLength(sends + 3)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  for (const request of receiver.received) {
    expect(request.headers['webhook-id']).toBe(eventId)
    verified(secret, request)
  }
  expect(await deadLetters(organization)).toEqual([])
  const [delivery] = await deliveriesOf(organization, id)
  expect(delivery).toMatchObject({ eventId, status: 'delivered' })
  expect(delivery?.attempts).toHaveLength(sends + 3)
  // What was delivered is no dead letter any more.
  await problem(replay(organization, eventId), 404, 'NOT_FOUND')
})

test('who replays a dead letter many times at once starts one sequence', async () => {
  receiver.answer(() => 500)
  const { id } = await createWebhook(organization, receiver.url())
  const eventId = await sendTest(organization, id)
  await deliverAll(server)
  const answers = await Promise.all(Array.from({ length: 5 }, () => replay(organization, eventId)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await deliverAll(server)
  expect(receiver.received).toHaveLength(2 * sends)
})

test("another organization's events can neither be seen nor replayed", async () => {
  receiver.answer(() => 500)
  const { id } = await createWebhook(organization, receiver.url())
  const eventId = await sendTest(organization, id)
  await deliverAll(server)

  const other = await registerTestOrganization(server)
  const own = await createWebhook(other, receiver.url('/other'))
  await problem(replay(other, eventId), 404, 'NOT_FOUND')
  await problem(replay(other, '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'), 404, 'NOT_FOUND')
  expect(await deadLetters(other)).toEqual([])
  expect(await deliveriesOf(other, own.id)).toEqual([])
  await problem(other.fetch(`${path}/${id}/deliveries`), 404, 'NOT_FOUND')
  expect(receiver.received).toHaveLength(sends)
})

test('while two secrets are valid both sign, the newest first; a day later only the new one does', async () => {
  const { id, secret } = await createWebhook(organization, receiver.url())
  const rotate = async () => {
    const response = await organization.fetch(`${path}/${id}/rotate-secret`, { method: 'POST' })
    return RotatedWebhookSecret.parse(await response.json()).secret
  }
  const second = await rotate()
  await sendTest(organization, id)
  const [during] = await receiver.got(1)
  if (during === undefined) throw new Error('Nothing came')
  expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2)
  verified(secret, during)
  verified(second, during)
  expect(during.headers['x-service-signature']).toBe(serviceSignature(second, during.body))

  // A second rotation takes nothing back of what the first one promised.
  const third = await rotate()
  await sendTest(organization, id)
  const [, hurried] = await receiver.got(2)
  if (hurried === undefined) throw new Error('Nothing came')
  for (const valid of [secret, second, third]) verified(valid, hurried)

  server.clock.advance(dayMs + 1)
  await sendTest(organization, id)
  const [, , later] = await receiver.got(3)
  if (later === undefined) throw new Error('Nothing came')
  const { 'webhook-id': eventId, 'webhook-timestamp': timestamp } = later.headers
  const signed = [eventId, timestamp, later.body].join('.')
  const key = Buffer.from(third.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  expect(later.headers['webhook-signature']).toBe(`v1,${signature}`)
  expect(later.headers['x-service-signature']).toBe(serviceSignature(third, later.body))
  await deliverAll(server)
})

test('of many rotations in haste the header keeps a few, and the newest always', async () => {
  const { id } = await createWebhook(organization, receiver.url())
  let newest = ''
  for (let rotation = 0; rotation < 8; rotation += 1) {
    const response = await organization.fetch(`${path}/${id}/rotate-secret`, { method: 'POST' })
    newest = RotatedWebhookSecret.parse(await response.json()).secret
  }
  await sendTest(organization, id)
  const [request] = await receiver.got(1)
  expect(String(request?.headers['webhook-signature']).split(' ')).toHaveLength(5)
  expect(request?.headers['x-service-signature']).toBe(
    serviceSignature(newest, request?.body ?? ''),
  )
  await deliverAll(server)
})

test('what waits for a webhook goes to its new address', async () => {
  receiver.answer((at) => (at === '/old' ? 500 : 200))
  const { id } = await createWebhook(organization, receiver.url('/old'))
  const eventId = await sendTest(organization, id)
  await receiver.got(1, '/old')
  await change(id, { url: receiver.url('/new') })
  await deliverAll(server)
  const moved = await receiver.got(1, '/new')
  expect(moved[0]?.headers['webhook-id']).toBe(eventId)
})

test('410 deactivates the webhook at once, and a mail says so', async () => {
  receiver.answer(() => 410)
  const { id } = await createWebhook(organization, receiver.url())
  const admin = await joinTestOrganization(server, organization, 'admin')
  const member = await joinTestOrganization(server, organization, 'member')
  const contact = { email: `Ops@${organization.slug}.example.com` }
  await organization.fetch('/api/portal/organization/settings', {
    ...jsonPost({ contact_email: contact.email }),
    method: 'PUT',
  })
  const eventId = await sendTest(organization, id)
  await deliverAll(server)

  expect(receiver.received).toHaveLength(1)
  expect(await webhookNow(id)).toMatchObject({ active: false })
  expect(await deadLetters(organization)).toMatchObject([
    { eventId, attempts: [{ statusCode: 410 }] },
  ])
  for (const { email } of [organization.owner, admin, contact]) {
    const told = (await mailsTo(server, email)).filter(({ text }) => text.includes('410 Gone'))
    expect(told).toHaveLength(1)
  }
  const others = (await mailsTo(server, member.email)).map(({ text }) => text)
  expect(others.filter((text) => text.includes('webhook'))).toEqual([])

  // Asked for anew it is sent, once more.
  await replay(organization, eventId)
  await deliverAll(server)
  expect(receiver.received).toHaveLength(2)
})

test('after five days without a success the webhook is deactivated, and nothing more is sent', async () => {
  receiver.answer(() => 500)
  const { id } = await createWebhook(organization, receiver.url())
  await sendTest(organization, id)
  await deliverAll(server)
  server.clock.advance(4 * dayMs)
  await sendTest(organization, id)
  await deliverAll(server)
  expect(await webhookNow(id)).toMatchObject({ active: true })

  const before = receiver.received.length
  server.clock.advance(dayMs)
  const last = await sendTest(organization, id)
  await deliverAll(server)
  expect(await webhookNow(id)).toMatchObject({ active: false })
  expect(receiver.received).toHaveLength(before + 1)
  // It is kept, and says why nothing more was sent.
  const letter = (await deadLetters(organization)).find(({ eventId }) => eventId === last)
  expect(letter?.attempts).toMatchObject([
    { statusCode: 500 },
    { statusCode: null, error: 'The webhook is not active: nothing was sent.', durationMs: 0 },
  ])
  const told = (await mailsTo(server, organization.owner.email)).filter(({ text }) =>
    text.includes('deactivated'),
  )
  expect(told).toHaveLength(1)
  expect(told[0]?.text).toContain('5 days')

  // Activated again it starts with a clean record.
  await change(id, { active: true })
  await sendTest(organization, id)
  await deliverAll(server)
  expect(await webhookNow(id)).toMatchObject({ active: true })
})

test('one success among the failures keeps a webhook', async () => {
  receiver.answer((_path, before) => (before === 1 ? 200 : 500))
  const { id } = await createWebhook(organization, receiver.url())
  await sendTest(organization, id)
  await deliverAll(server)
  server.clock.advance(6 * dayMs)
  await sendTest(organization, id)
  await deliverAll(server)
  expect(await webhookNow(id)).toMatchObject({ active: true })
})

test('what waits for a webhook that is switched off or deleted becomes a dead letter and stays one', async () => {
  receiver.answer(() => 500)
  const off = await createWebhook(organization, receiver.url('/off'))
  const deleted = await createWebhook(organization, receiver.url('/deleted'))
  await sendTest(organization, off.id)
  const lost = await sendTest(organization, deleted.id)
  await receiver.got(1, '/off')
  await receiver.got(1, '/deleted')
  await change(off.id, { active: false })
  await organization.fetch(`${path}/${deleted.id}`, { method: 'DELETE' })
  await deliverAll(server)

  expect(receiver.received).toHaveLength(2)
  const letters = await deadLetters(organization)
  expect(letters.map(({ webhookId }) => webhookId).toSorted()).toEqual(
    [off.id, deleted.id].toSorted(),
  )
  expect(letters.find(({ webhookId }) => webhookId === deleted.id)?.attempts.at(-1)?.error).toBe(
    'The webhook was deleted: nothing was sent.',
  )
  await problem(replay(organization, lost), 404, 'NOT_FOUND')
})

test('a process that dies after it sent and before it wrote that down leads to a second send', async () => {
  const own = await registerTestOrganization(idle)
  const webhook = await createWebhook(own, receiver.url('/dies'))
  const eventId = await sendTest(own, webhook.id)
  const job = { organizationId: own.id, eventId }
  const attempt = { signal: new AbortController().signal }

  const dying = {
    now() {
      if (receiver.received.length > 0) throw new Error('killed')
      return idle.clock.now()
    },
  }
  const killed = deliverEvent({ ...idle.platform, clock: dying }, job, attempt)
  await expect(killed).rejects.toThrow('killed')
  expect(await receiver.got(1, '/dies')).toHaveLength(1)
  expect(await deliveriesOf(own, webhook.id)).toMatchObject([{ status: 'pending', attempts: [] }])

  await deliverEvent(idle.platform, job, attempt)
  const [first, second] = await receiver.got(2, '/dies')
  expect(second?.headers['webhook-id']).toBe(eventId)
  expect(second?.body).toBe(first?.body)
  expect(await deliveriesOf(own, webhook.id)).toMatchObject([{ status: 'delivered' }])

  // Whoever takes the job once more finds nothing to do.
  await deliverEvent(idle.platform, job, attempt)
  expect(await receiver.got(2, '/dies')).toHaveLength(2)
})

test('an address that became one of our own network is not sent to, whatever was found when it was given', async () => {
  const own = await registerTestOrganization(idle)
  const { id } = await createWebhook(own, receiver.url())
  const eventId = await sendTest(own, id)
  const { signal } = new AbortController()
  const guarded = { ...idle.platform, config: { ...idle.config, webhookAllowPrivate: false } }
  await deliverEvent(guarded, { organizationId: own.id, eventId }, { signal })
  expect(receiver.received).toEqual([])
  expect((await deliveriesOf(own, id))[0]).toMatchObject({
    status: 'pending',
    attempts: [{ statusCode: null, error: expect.stringContaining('ADDRESS_FORBIDDEN') }],
  })
})

test('an event is signed over its bytes, whatever letters it has', async () => {
  const own = await registerTestOrganization(idle)
  const { id, secret } = await createWebhook(own, receiver.url())
  const webhook = { id, url: receiver.url() }
  const message = 'Größe: 3 € – 𝟛 \u0000 \u2028 \ud800 "\\" \u0085'
  const { orm } = idle.platform
  const [eventId = ''] = await withOrganization(orm, own.id, (em) =>
    announceEvent(em, idle.platform, {
      organizationId: own.id,
      target: { webhook },
      event: 'webhook.test',
      data: { message },
    }),
  )
  const { signal } = new AbortController()
  await deliverEvent(idle.platform, { organizationId: own.id, eventId }, { signal })
  const [request] = await receiver.got(1)
  if (request === undefined) throw new Error('Nothing came')
  expect(verified(secret, request)).toMatchObject({ data: { message } })
  expect(request.headers).toMatchObject({
    'x-service-signature': serviceSignature(secret, request.body),
    'content-length': String(Buffer.byteLength(request.body)),
  })
})

test('a process that stops gives what it is sending back, and counts no failure', async () => {
  const own = await registerTestOrganization(idle)
  receiver.answer(() => 'hang')
  const webhook = await createWebhook(own, receiver.url())
  const eventId = await sendTest(own, webhook.id)
  const stop = new AbortController()
  const sending = deliverEvent(
    idle.platform,
    { organizationId: own.id, eventId },
    { signal: stop.signal },
  )
  await receiver.got(1)
  stop.abort()
  await expect(sending).rejects.toThrow('aborted')
  expect(await deliveriesOf(own, webhook.id)).toMatchObject([{ status: 'pending', attempts: [] }])
})

test('receivers that hang hold up nobody but themselves, and get a few requests at a time', async () => {
  receiver.answer((at) => (at.startsWith('/hangs') ? 'hang' : 204))
  // Two processes take the jobs.
  const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  await using _beside = await startBeside(server, { work: true, environment })
  const hanging = await createWebhook(organization, receiver.url('/hangs'))
  const healthy = await createWebhook(organization, receiver.url('/healthy'))
  const other = await registerTestOrganization(server)
  const theirs = await createWebhook(other, receiver.url('/theirs'))

  const atOnce = queues['deliver-webhook'].concurrencyPerOrganization.free
  for (let sent = 0; sent < 3 * atOnce; sent += 1) await sendTest(organization, hanging.id)
  await receiver.got(atOnce, '/hangs')
  for (let sent = 0; sent < 3; sent += 1) {
    await sendTest(organization, healthy.id)
    await sendTest(other, theirs.id)
  }
  await receiver.got(3, '/healthy')
  await receiver.got(3, '/theirs')
  expect(receiver.open('/hangs')).toBe(atOnce)
  expect(receiver.received.filter((request) => request.path === '/hangs')).toHaveLength(atOnce)

  // Let go: what hangs is cut off, and the rest is acknowledged.
  receiver.answer(() => 204)
  receiver.drop()
  await deliverAll(server)
})

test('dead letters are kept for thirty days, and deliveries as long', async () => {
  receiver.answer((at) => (at === '/ok' ? 204 : 500))
  const failing = await createWebhook(organization, receiver.url('/fails'))
  const working = await createWebhook(organization, receiver.url('/ok'))
  const eventId = await sendTest(organization, failing.id)
  await sendTest(organization, working.id)
  await deliverAll(server)
  const { signal } = new AbortController()

  server.clock.advance(limits.deadLetterDays * dayMs - hourMs)
  await tidyEvents(server.platform, signal)
  expect(await deadLetters(organization)).toMatchObject([{ eventId }])
  expect(await deliveriesOf(organization, working.id)).toHaveLength(1)

  server.clock.advance(2 * hourMs)
  // It is not shown any more before it is cleared, and cannot come back.
  expect(await deadLetters(organization)).toEqual([])
  await problem(replay(organization, eventId), 404, 'NOT_FOUND')
  await tidyEvents(server.platform, signal)
  expect(await deliveriesOf(organization, failing.id)).toEqual([])
  expect(await deliveriesOf(organization, working.id)).toEqual([])
})

test('an event that was due for five days and could not be sent is a dead letter, which can be replayed', async () => {
  const own = await registerTestOrganization(idle)
  const { id } = await createWebhook(own, receiver.url())
  const eventId = await sendTest(own, id)
  const { signal } = new AbortController()
  const due = Date.now()

  // As if the clock were days ahead of the sign-in.
  const ahead = (days: number) => ({ now: () => new Date(due + days * dayMs) })
  await tidyEvents({ ...idle.platform, clock: ahead(4.9) }, signal)
  expect(await deliveriesOf(own, id)).toMatchObject([{ status: 'pending' }])
  await tidyEvents({ ...idle.platform, clock: ahead(5.1) }, signal)
  expect(await deadLetters(own)).toMatchObject([
    { eventId, attempts: [{ error: 'It has been due for 5 days: nothing was sent.' }] },
  ])

  const job = { organizationId: own.id, eventId }
  await deliverEvent(idle.platform, job, { signal })
  expect(receiver.received).toEqual([])
  expect((await replay(own, eventId)).status).toBe(200)
  await deliverEvent(idle.platform, job, { signal })
  expect(receiver.received).toHaveLength(1)
  expect(await deadLetters(own)).toEqual([])
})

test('a receiver that failed waits in a queue of its own, and gets out of it by a success', async () => {
  receiver.answer((at) => (at === '/fails' ? 500 : 204))
  const own = await registerTestOrganization(idle)
  const failing = await createWebhook(own, receiver.url('/fails'))
  const working = await createWebhook(own, receiver.url('/ok'))
  const { signal } = new AbortController()
  const deliver = (eventId: string) =>
    deliverEvent(idle.platform, { organizationId: own.id, eventId }, { signal })
  const queueOf = async (eventId: string) => {
    const jobs = await idle.database.query<{ name: string }>(
      `select name from pgboss.job where data->>'eventId' = $1 order by created_on desc limit 1`,
      [eventId],
    )
    return jobs[0]?.name
  }

  const first = await sendTest(own, failing.id)
  expect(await queueOf(first)).toBe('deliver-webhook')
  await deliver(first)
  expect(await queueOf(first)).toBe('deliver-to-troubled-webhook')
  expect(await queueOf(await sendTest(own, failing.id))).toBe('deliver-to-troubled-webhook')
  expect(await queueOf(await sendTest(own, working.id))).toBe('deliver-webhook')

  receiver.answer(() => 204)
  await deliver(first)
  expect(await queueOf(await sendTest(own, failing.id))).toBe('deliver-webhook')
})

test('of very many dead letters the answer has the newest, and says where the others are', async () => {
  const { id } = await createWebhook(organization, receiver.url())
  receiver.answer(() => 410)
  const eventId = await sendTest(organization, id)
  await deliverAll(server)
  await server.database.query(
    `insert into webhook_event (id, organization_id, webhook_id, configured, url, event, payload, status, asked_for,
       sends, attempts, created_at, ended_at)
     select gen_random_uuid(), organization_id, webhook_id, configured, url, event, payload, status, asked_for, sends,
       attempts, created_at, ended_at + n * interval '1 second'
     from webhook_event, generate_series(1, $2::int) n where id = $1`,
    [eventId, limits.deadLettersPerPage],
  )
  const response = await organization.fetch(`${path}/dead`)
  expect(await response.json()).toHaveLength(limits.deadLettersPerPage)
  expect(response.headers.get('x-total-count')).toBe(String(limits.deadLettersPerPage + 1))
  expect(response.headers.get('link')).toBe(`<${server.url}${path}/dead?page=2>; rel="next"`)
  const rest = await organization.fetch(`${path}/dead?page=2`)
  expect(await rest.json()).toMatchObject([{ eventId }])
})

test('the log of deliveries comes in pages, newest first', async () => {
  const { id } = await createWebhook(organization, receiver.url())
  const sent: string[] = []
  for (let count = 0; count < 3; count += 1) sent.unshift(await sendTest(organization, id))
  await deliverAll(server)
  const page = async (query: string) => {
    const response = await organization.fetch(`${path}/${id}/deliveries?${query}`)
    return { response, body: await response.json() }
  }

  const first = await page('page_size=2')
  expect(first.body).toMatchObject({
    items: [{ eventId: sent[0] }, { eventId: sent[1] }],
    page: 1,
    page_size: 2,
  })
  expect(first.response.headers.get('x-total-count')).toBe('3')
  expect(first.response.headers.get('link')).toContain('rel="next"')
  expect((await page('page=2&page_size=2')).body).toMatchObject({ items: [{ eventId: sent[2] }] })
  expect((await page('page=9')).body).toMatchObject({ items: [] })
  for (const wrong of ['page=0', 'page=x', 'page_size=0', 'page_size=101']) {
    await problem(organization.fetch(`${path}/${id}/deliveries?${wrong}`), 400, 'VALIDATION_ERROR')
  }
  await problem(organization.fetch(`${path}/dead?page=0`), 400, 'VALIDATION_ERROR')
})
