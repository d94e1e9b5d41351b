import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expressHandler } from '../src/express.ts'
import {
  fetchHandler,
  type OnWebhookEvent,
  sign,
  unwrap,
  WebhookError,
  type WebhookEvent,
} from '../src/webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const event: WebhookEvent = {
  event: 'normalization.success',
  webhookId: '0199c8a4-9c54-7f55-b2da-6e7f8091a223',
  timestamp: '2026-11-01T09:30:01.000Z',
  apiVersion: '2026-11-01',
  data: {
    submissionId: '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11',
    status: 'SUCCESS',
    processingTimeMs: 842,
    outputHash: `sha256:${'0'.repeat(64)}`,
    outputSizeBytes: 48211,
    downloadUrl: 'https://pdfnorm.example/api/artifacts/0',
    warnings: [{ code: 'NON_EMBEDDED_FONT', message: 'Schriftart „Äther“ fehlt' }],
  },
}
const hoursAgo = new Date(Date.now() - 3_600_000)

test('an event that the service has signed is unwrapped, from text and from bytes', async () => {
  const { body, headers } = await sign(event, secret)
  expect(await unwrap(body, headers, secret)).toEqual(event)
  expect(await unwrap(new TextEncoder().encode(body), new Headers(headers), secret)).toEqual(event)
  const { buffer } = new TextEncoder().encode(body)
  expect(await unwrap(buffer, headers, [otherSecret, secret])).toEqual(event)
})

test('either signature is computed as other libraries do', async () => {
  const sentAt = new Date(1_793_525_401_000)
  const { body, headers } = await sign(event, secret, { id: 'msg_1', sentAt })
  const plain = createHmac('sha256', secret).update(body).digest('hex')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', key).update(`msg_1.1793525401.${body}`).digest('base64')
  expect(headers).toMatchObject({
    'x-service-signature': plain,
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1793525401',
    'webhook-signature': `v1,${standard}`,
  })
})

test("either signature is enough, Node's and Express's headers included", async () => {
  const { body, headers } = await sign(event, secret)
  const { 'x-service-signature': plain, ...standard } = headers
  expect(await unwrap(body, standard, secret)).toEqual(event)
  expect(await unwrap(body, { 'X-Service-Signature': plain }, secret)).toEqual(event)
  expect(await unwrap(body, { 'x-service-signature': [plain ?? ''] }, secret)).toEqual(event)
})

test('while a secret is rotated one signature of several is enough', async () => {
  const { body, headers } = await sign(event, secret)
  const both = `v1,AAAA v1a,BBBB ${headers['webhook-signature']}`
  expect(await unwrap(body, { ...headers, 'webhook-signature': both }, secret)).toEqual(event)
})

describe('what the service has not just sent is refused', () => {
  test.each<[string, (sent: Sent) => Sent, string]>([
    ['when the body was changed', (s) => ({ ...s, body: `${s.body} ` }), 'SIGNATURE_INVALID'],
    [
      'when the time was changed',
      (s) => withHeader(s, 'webhook-timestamp', -1),
      'SIGNATURE_INVALID',
    ],
    ['when the id was changed', (s) => withHeader(s, 'webhook-id', 'other'), 'SIGNATURE_INVALID'],
    [
      'when it was sent too long ago',
      (s) => withHeader(s, 'webhook-timestamp', -301),
      'TIMESTAMP_INVALID',
    ],
    [
      'when it comes from the future',
      (s) => withHeader(s, 'webhook-timestamp', 400),
      'TIMESTAMP_INVALID',
    ],
    [
      'when its time is none',
      (s) => withHeader(s, 'webhook-timestamp', 'now'),
      'TIMESTAMP_INVALID',
    ],
    ['when it has no signature', (s) => ({ ...s, headers: {} }), 'SIGNATURE_MISSING'],
    [
      'when its signature is empty',
      (s) => withHeader(s, 'webhook-signature', ''),
      'SIGNATURE_INVALID',
    ],
    [
      'when its signature is another version',
      (s) => withHeader(s, 'webhook-signature', 'v2,AAAA'),
      'SIGNATURE_INVALID',
    ],
    ['when its plain signature is cut', plainOnly((text) => text.slice(2)), 'SIGNATURE_INVALID'],
    ['when its plain signature is wrong', plainOnly(() => '0'.repeat(64)), 'SIGNATURE_INVALID'],
  ])('%s', async (_why, change, code) => {
    const { body, headers } = change(await sign(event, secret))
    await expect(unwrap(body, headers, secret)).rejects.toMatchObject({
      name: 'WebhookError',
      code: `WEBHOOK_${code}`,
    })
  })

  test('a good plain signature does not make up for a bad one that covers the time', async () => {
    const sent = withHeader(await sign(event, secret), 'webhook-signature', 'v1,AAAA')
    await expect(unwrap(sent.body, sent.headers, secret)).rejects.toThrow(WebhookError)
  })

  test('an old request is accepted only by a receiver that tolerates it', async () => {
    const { body, headers } = await sign(event, secret, { sentAt: hoursAgo })
    await expect(unwrap(body, headers, secret)).rejects.toThrow('300 s')
    expect(await unwrap(body, headers, secret, { toleranceSeconds: 4000 })).toEqual(event)
  })

  test('a receiver may insist on a signature that covers the time', async () => {
    const { body, headers } = plainOnly((text) => text)(await sign(event, secret))
    const strict = unwrap(body, headers, secret, { requireTimestamp: true })
    await expect(strict).rejects.toMatchObject({ code: 'WEBHOOK_SIGNATURE_MISSING' })
  })
})

test('a parsed body is told what is wrong with it', async () => {
  const { headers } = await sign(event, secret)
  const parsed: unknown = JSON.parse(JSON.stringify(event))
  await expect(unwrap(parsed as string, headers, secret)).rejects.toMatchObject({
    code: 'WEBHOOK_BODY_NOT_RAW',
    message: expect.stringContaining('express.raw'),
  })
})

test('a secret that is none is a mistake of the receiver, not of the sender', async () => {
  const { body, headers } = await sign(event, secret)
  await expect(unwrap(body, headers, '')).rejects.toThrow(TypeError)
  await expect(unwrap(body, headers, 'not-a-secret')).rejects.toThrow('whsec_')
})

describe('a route of a fetch-style server', () => {
  test('takes an event and refuses a forgery and a flood', async () => {
    const seen: unknown[] = []
    const route = fetchHandler(
      () => secret,
      (got, id) => seen.push([got, id]),
    )
    const { body, headers } = await sign(event, secret, { id: 'msg_1' })

    expect((await route(post(body, headers))).status).toBe(204)
    const refused = await route(post(`${body} `, headers))
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('signature')
    expect((await route(post('x'.repeat(2 ** 20 + 1), headers))).status).toBe(413)
    expect(seen).toEqual([[event, 'msg_1']])
  })

  test('throws what its receiver throws, so that the event comes again', async () => {
    const route = fetchHandler(secret, () => Promise.reject(new Error('database is away')))
    const { body, headers } = await sign(event, secret)
    await expect(route(post(body, headers))).rejects.toThrow('database is away')
  })
})

describe("a route of a server whose requests are Node's", () => {
  test('takes an event and refuses a forgery and a flood', async () => {
    const seen: unknown[] = []
    const url = await nodeServer((got, id) => seen.push([got, id]))
    const { body, headers } = await sign(event, secret, { id: 'msg_1' })

    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(204)
    expect((await fetch(url, { method: 'POST', body: `${body} `, headers })).status).toBe(400)
    const flood = await fetch(url, { method: 'POST', body: 'x'.repeat(2 ** 20 + 1), headers })
    expect(flood.status).toBe(413)
    expect(seen).toEqual([[event, 'msg_1']])
  })

  test('answers 500 when its receiver fails, so that the event comes again', async () => {
    const url = await nodeServer(() => Promise.reject(new Error('database is away')))
    const { body, headers } = await sign(event, secret)
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(500)
  })
})

interface Sent {
  readonly body: string
  readonly headers: Record<string, string>
}

/** A number is seconds from now. */
function withHeader({ body, headers }: Sent, name: string, value: string | number): Sent {
  const now = Math.floor(Date.now() / 1000)
  const text = typeof value === 'number' ? String(now + value) : value
  return { body, headers: { ...headers, [name]: text } }
}

function plainOnly(change: (signature: string) => string): (sent: Sent) => Sent {
  return ({ body, headers }) => ({
    body,
    headers: { 'x-service-signature': change(headers['x-service-signature'] ?? '') },
  })
}

function post(body: string, headers: Record<string, string>): Request {
  return new Request('https://receiver.example/hook', { method: 'POST', body, headers })
}

async function nodeServer(onEvent: OnWebhookEvent): Promise<string> {
  const route = expressHandler(secret, onEvent)
  const server = createServer((req, res) => void route(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}
