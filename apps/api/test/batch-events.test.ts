import { Batch } from '@pdfnorm/contracts/schema/batch'
import { DefaultWebhookSecret } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { BatchEvent } from '@pdfnorm/contracts/schema/webhook-event'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { announceBatch } from '../src/batch/announce-batch.ts'
import { createWebhook, deliverAll } from './deliveries.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { normalized, problem, registerSubmitter, type Submitter } from './submitter.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

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

function post(body: unknown): Promise<Response> {
  return server.fetch('/api/batches', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': submitter.key },
    body: JSON.stringify(body),
  })
}

async function create(body: unknown): Promise<Batch> {
  return Batch.parse(await (await post(body)).json())
}

async function fill({ batchId }: Batch, text: string): Promise<void> {
  await normalized(submitter.submit(pdf({ text }), { batch_id: batchId }))
}

/** As if five seconds had passed: every look at a batch that is planned is made, and what it announces is delivered. */
async function settle(): Promise<void> {
  const waiting = `select from pgboss.job where name = 'announce-batch' and state < 'completed'`
  await server.database.query(
    `update pgboss.job set start_after = now() where name = 'announce-batch' and state = 'created'`,
  )
  await server.database.query(`select pg_notify('pdfnorm_job', 'announce-batch')`)
  await expect
    .poll(async () => (await server.database.query(waiting)).length, {
      interval: 20,
      timeout: 20_000,
    })
    .toBe(0)
  await deliverAll(server)
}

async function looks(): Promise<{ total: number; rests: boolean }[]> {
  return server.database.query(
    `select (data->>'total')::int as total, start_after > now() as rests from pgboss.job
     where name = 'announce-batch' and state < 'completed' order by 1`,
  )
}

test('a batch that stays complete is announced to its address, signed with the default secret', async () => {
  const webhook_url = receiver.url('/batch')
  const batch = await create({ name: 'announced', webhook_url })
  await createWebhook(submitter.organization, receiver.url('/configured'))
  await fill(batch, 'one')
  expect(await looks()).toEqual([{ total: 1, rests: true }])
  await settle()

  const [request] = await receiver.got(1, '/batch')
  const path = '/api/portal/webhooks/default-secret'
  const { secret } = DefaultWebhookSecret.parse(
    await (await submitter.organization.fetch(path)).json(),
  )
  const headers = request?.headers as Record<string, string>
  const event = BatchEvent.strict().parse(new Webhook(secret).verify(request?.body ?? '', headers))
  expect(event).toMatchObject({ event: 'batch.complete', apiVersion: '2026-11-01' })
  expect(event.data).toEqual({ ...batch, status: 'complete', total: 1, completed: 1 })
  expect(receiver.received).toHaveLength(1)
})

test('one that is reopened before is announced once, when it is complete again', async () => {
  const batch = await create({ webhook_url: receiver.url('/batch') })
  await fill(batch, 'first')
  await fill(batch, 'second')
  expect(await looks()).toEqual([
    { total: 1, rests: true },
    { total: 2, rests: true },
  ])
  await settle()
  const bodies = receiver.received.map(({ body }) => BatchEvent.parse(JSON.parse(body)).data.total)
  expect(bodies).toEqual([2])
})

test('each completion is announced once, also when its job runs again', async () => {
  const batch = await create({ webhook_url: receiver.url('/batch') })
  await fill(batch, 'first')
  await settle()
  await fill(batch, 'second')
  await settle()
  const { id: organizationId } = submitter.organization
  for (const total of [1, 2, 3]) {
    await announceBatch(server.platform, { organizationId, batchId: batch.batchId, total })
  }
  await settle()
  const bodies = receiver.received.map(({ body }) => BatchEvent.parse(JSON.parse(body)).data.total)
  expect(bodies).toEqual([1, 2])
})

test('a file that is refused at once completes a batch, too', async () => {
  const batch = await create({ webhook_url: receiver.url('/batch') })
  const large = pdf({ text: 'large', paddingBytes: 5 * 1024 * 1024 })
  await normalized(submitter.submit(large, { batch_id: batch.batchId }))
  await settle()
  const [request] = await receiver.got(1, '/batch')
  expect(BatchEvent.parse(JSON.parse(request?.body ?? '')).data).toMatchObject({
    total: 1,
    rejected: 1,
  })
})

test('nobody looks at a batch without an address', async () => {
  const batch = await create({})
  await fill(batch, 'quiet')
  expect(await looks()).toEqual([])
})

test('a batch takes no address that nothing would be sent to', async () => {
  await using guarded = await startTestServer()
  const stranger = await registerSubmitter(guarded)
  const refused = guarded.fetch('/api/batches', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': stranger.key },
    body: JSON.stringify({ webhook_url: 'http://169.254.169.254/latest/meta-data' }),
  })
  await problem(refused, 400, 'WEBHOOK_URL_FORBIDDEN')
  expect(await (await stranger.get('/api/batches')).json()).toMatchObject({ items: [] })
})
