import { createHmac } from 'node:crypto'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { DefaultWebhookSecret } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { SubmissionEvent } from '@pdfnorm/contracts/schema/webhook-event'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWebhook, deadLetters, deliverAll, replay } from './deliveries.ts'
import { holdNormalizer } from './held-normalizer.ts'
import { encryptedPdf, pdf } from './pdf.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import {
  ended,
  formOf,
  normalized,
  problem,
  registerSubmitter,
  type Submitter,
  whatIsStored,
} from './submitter.ts'
import {
  type ReceivedEvent,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.ts'

const later = { Prefer: 'respond-async' }

let server: TestServer
let receiver: WebhookReceiver
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer({
    work: true,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  submitter = await registerSubmitter(server)
})
afterEach(() => receiver[Symbol.asyncDispose]())

/** The event in a request whose signatures are both good. */
function eventIn(request: ReceivedEvent | undefined, secret: string): SubmissionEvent {
  if (request === undefined) throw new Error('Nothing came')
  const signature = createHmac('sha256', secret).update(request.body).digest('hex')
  expect(request.headers['x-service-signature']).toBe(signature)
  const headers = request.headers as Record<string, string>
  return SubmissionEvent.strict().parse(new Webhook(secret).verify(request.body, headers))
}

async function defaultSecret({ organization }: Submitter): Promise<string> {
  const response = await organization.fetch('/api/portal/webhooks/default-secret')
  return DefaultWebhookSecret.parse(await response.json()).secret
}

test('the end of an asynchronous submission reaches the active webhooks of its organization that listen to it', async () => {
  const { organization } = submitter
  const hook = await createWebhook(organization, receiver.url('/all'))
  await createWebhook(organization, receiver.url('/failures'), {
    events: ['normalization.failure'],
  })
  await createWebhook(organization, receiver.url('/off'), { active: false })
  const other = await registerSubmitter(server)
  await createWebhook(other.organization, receiver.url('/theirs'))

  const { submissionId } = await normalized(
    submitter.submit(pdf({ text: 'announced' }), {}, later),
    202,
  )
  const record = await ended(submitter, submissionId)
  const [request] = await receiver.got(1, '/all')
  await deliverAll(server)

  expect(eventIn(request, hook.secret)).toEqual({
    event: 'normalization.success',
    webhookId: hook.id,
    timestamp: expect.any(String),
    apiVersion: record.apiVersion,
    data: {
      submissionId,
      status: 'SUCCESS',
      processingTimeMs: record.processingTimeMs,
      outputHash: record.outputHash,
      outputSizeBytes: record.outputSizeBytes,
      downloadUrl: record.downloadUrl,
      warnings: record.warnings,
    },
  })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/all'])
})

test('what is answered at once is told to the address of its request, and to no configured webhook', async () => {
  const { organization } = submitter
  await createWebhook(organization, receiver.url('/configured'))
  const url = receiver.url('/mine')
  const submit = async (by: Submitter, text: string) =>
    (await normalized(by.submit(pdf({ text }), { webhook_url: url }))).submissionId

  const first = await submit(submitter, 'one')
  const second = await submit(submitter, 'two')
  const requests = await receiver.got(2, '/mine')
  const secret = await defaultSecret(submitter)
  const events = requests.map((request) => eventIn(request, secret))
  expect(events.map(({ data }) => data.submissionId).toSorted()).toEqual([first, second])
  // Stable for the address, and no other organization's.
  const ids = new Set(events.map(({ webhookId }) => webhookId))
  expect(ids.size).toBe(1)
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2)

  const other = await registerSubmitter(server)
  await submit(other, 'three')
  const [, , theirs] = await receiver.got(3, '/mine')
  expect(ids).not.toContain(eventIn(theirs, await defaultSecret(other)).webhookId)
  await deliverAll(server)
  expect(receiver.received.filter(({ path }) => path === '/configured')).toEqual([])
})

test('an address that is a configured webhook too is signed with its secret', async () => {
  const url = receiver.url('/both')
  const hook = await createWebhook(submitter.organization, url, {
    events: ['normalization.failure'],
  })
  await normalized(submitter.submit(pdf({ text: 'both' }), { webhook_url: url }))
  const [request] = await receiver.got(1, '/both')
  expect(eventIn(request, hook.secret).webhookId).not.toBe(hook.id)
  await deliverAll(server)
})

test('a submission that fails or is rejected is told with what a success would have, null, and why', async () => {
  const hook = await createWebhook(submitter.organization, receiver.url('/ends'))
  const documents = [
    ['normalization.rejected', 'REJECTED', 'ENCRYPTED_PDF', encryptedPdf('secret')],
    [
      'normalization.failure',
      'FAILED',
      'MALFORMED_PDF',
      Buffer.from('%PDF-1.7\nno more than this'),
    ],
  ] as const
  for (const [index, [event, status, code, bytes]] of documents.entries()) {
    const { submissionId } = await normalized(submitter.submit(bytes, {}, later), 202)
    const record = await ended(submitter, submissionId)
    const requests = await receiver.got(index + 1, '/ends')
    expect(eventIn(requests[index], hook.secret)).toEqual({
      event,
      webhookId: hook.id,
      timestamp: expect.any(String),
      apiVersion: record.apiVersion,
      data: {
        submissionId,
        status,
        processingTimeMs: record.processingTimeMs,
        outputHash: null,
        outputSizeBytes: null,
        downloadUrl: null,
        warnings: record.warnings,
        failure: record.failure,
      },
    })
    expect(record.failure?.code).toBe(code)
  }
  await deliverAll(server)
})

test('a file over the plan is rejected at once, which the address of its request hears of', async () => {
  await createWebhook(submitter.organization, receiver.url('/configured'))
  const large = pdf({ text: 'large', paddingBytes: plans.free.maxFileBytes })
  const fields = { webhook_url: receiver.url('/mine') }
  const { submissionId } = await normalized(submitter.submit(large, fields, later))
  const [request] = await receiver.got(1, '/mine')
  expect(eventIn(request, await defaultSecret(submitter))).toMatchObject({
    event: 'normalization.rejected',
    data: { submissionId, status: 'REJECTED', failure: { code: 'FILE_TOO_LARGE' } },
  })
  await deliverAll(server)
  expect(receiver.received).toHaveLength(1)
})

test('a caller who stops waiting made it asynchronous: the configured webhooks hear of it, once', async () => {
  const hook = await createWebhook(submitter.organization, receiver.url('/configured'))
  const normalizer = holdNormalizer()
  await using slow = await startBeside(server, {
    normalizer,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
  const request = {
    method: 'POST',
    headers: { 'X-Api-Key': submitter.key, Prefer: 'wait=0' },
    body: formOf(pdf({ text: 'waits' }), { webhook_url: receiver.url('/mine') }),
  }
  const { submissionId } = await normalized(slow.fetch('/api/normalize', request), 202)
  normalizer.release()
  await ended(submitter, submissionId)
  const [configured] = await receiver.got(1, '/configured')
  await receiver.got(1, '/mine')
  await deliverAll(server)
  expect(eventIn(configured, hook.secret).data.submissionId).toBe(submissionId)
  expect(receiver.received).toHaveLength(2)
})

test('what the address of a request does not take is a dead letter, too, and can be replayed', async () => {
  receiver.answer((_path, before) => (before < 6 ? 500 : 200))
  const url = receiver.url('/mine')
  await normalized(submitter.submit(pdf({ text: 'dead' }), { webhook_url: url }))
  await deliverAll(server)
  const [letter] = await deadLetters(submitter.organization)
  expect(letter).toMatchObject({ url, event: 'normalization.success' })
  expect(letter?.attempts).toHaveLength(6)

  const other = await registerSubmitter(server)
  expect(await deadLetters(other.organization)).toEqual([])
  await problem(replay(other.organization, letter?.eventId ?? ''), 404, 'NOT_FOUND')
  expect((await replay(submitter.organization, letter?.eventId ?? '')).status).toBe(200)
  const requests = await receiver.got(7, '/mine')
  expect(eventIn(requests[6], await defaultSecret(submitter))).toEqual(letter?.payload)
  await deliverAll(server)
})

test('a repeated request announces nothing again', async () => {
  const fields = { webhook_url: receiver.url('/mine'), idempotency_key: 'once' }
  const original = pdf({ text: 'once' })
  for (let times = 0; times < 3; times += 1) await normalized(submitter.submit(original, fields))
  await receiver.got(1, '/mine')
  await deliverAll(server)
  expect(receiver.received).toHaveLength(1)
})

test('an address of our own network is refused before anything is kept', async () => {
  const guarded = await startTestServer()
  const own = await registerSubmitter(guarded)
  const before = await whatIsStored(guarded)
  for (const url of [receiver.url(), 'http://169.254.169.254/', 'http://[::1]:3000/']) {
    const refused = own.submit(pdf({ text: 'private' }), { webhook_url: url })
    await problem(refused, 400, 'WEBHOOK_URL_FORBIDDEN')
  }
  expect(await whatIsStored(guarded)).toEqual(before)
  expect(receiver.received).toEqual([])
  await guarded[Symbol.asyncDispose]()
})
