import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts'
import { pdf } from './pdf.ts'
import { type LogLine, type ServiceProcess, startProcess } from './processes.ts'
import { formOf, normalized, registerSubmitter, type Submitter } from './submitter.ts'

const requestId = 'upload-of-the-test'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const callersSpan = 'b7ad6b7169203331'

let database: TestDatabase
let directory: string
let service: ServiceProcess
let submitter: Submitter
let spans: ReceivedSpan[]
let webhook: { headers: IncomingHttpHeaders }
let submissionId: string

// One document goes the whole way: upload, job, webhook; then the process ends.
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(join(tmpdir(), 'pdfnorm-traces-'))
  await using collector = await startOtlpReceiver()
  await using receiver = await startWebhookReceiver()
  service = await startProcess({
    DATABASE_URL: database.connection.url,
    DATA_DIR: directory,
    WORKER_CONCURRENCY: '1',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  submitter = await registerSubmitter({ fetch: (path, init) => fetch(service.url + path, init) })
  const accepted = await fetch(`${service.url}/api/normalize`, {
    method: 'POST',
    headers: {
      'X-Api-Key': submitter.key,
      'X-Request-Id': requestId,
      traceparent: `00-${traceId}-${callersSpan}-01`,
      Prefer: 'respond-async',
    },
    body: formOf(pdf({ text: 'the whole way' }), { webhook_url: receiver.url }),
  })
  submissionId = (await normalized(accepted, 202)).submissionId
  // Where a key does not belong.
  for (const path of [`?api_key=${submitter.key}`, `/${submitter.key}`]) {
    await fetch(`${service.url}/api/submissions${path}`)
  }
  webhook = await receiver.delivered
  await service.logged(({ msg }) => msg === 'an event was sent to a webhook')
  await service.end()
  spans = collector.spans
})
afterAll(async () => {
  await service.end()
  await database.drop()
  await rm(directory, { recursive: true, force: true, maxRetries: 20 })
})

test('the id of the upload is in each line that it led to, up to the webhook and in its headers', () => {
  const lines = service.log.filter((line) => line['requestId'] === requestId)
  const events = lines.map(({ msg }) => msg)
  for (const event of [
    'request completed',
    'a submission ended',
    'an event was sent to a webhook',
  ]) {
    expect(events.filter((msg) => msg === event)).toEqual([event])
  }
  expect(lines.find(({ msg }) => msg === 'a submission ended')).toMatchObject({
    submissionId,
    status: 'SUCCESS',
    queue: 'normalize-submission',
    attempt: 1,
  })
  expect(webhook.headers['x-request-id']).toBe(requestId)
})

test('no line has a secret, an address of a person or what a document says', () => {
  const log = service.log.map((line: LogLine) => JSON.stringify(line)).join('\n')
  const { owner, accessToken, refreshToken } = submitter.organization
  const secrets = [submitter.key, owner.password, owner.email, accessToken, refreshToken]
  for (const secret of [...secrets, 'the whole way', 'whsec_']) expect(log).not.toContain(secret)
})

test('one trace goes from the caller over the request and the job to the webhook', () => {
  const trace = spans.filter((span) => span.traceId === traceId)
  const named = (name: string) => trace.filter((span) => span.name === name)
  const [request] = named('POST /api/normalize')
  expect(request?.parentSpanId).toBe(callersSpan)

  const [job] = named('process normalize-submission')
  expect(ancestors(job)).toContain(request?.spanId)
  for (const stage of pipelineStages) {
    const [span] = named(`stage ${stage}`)
    expect(ancestors(span)).toContain(job?.spanId)
  }
  const delivery = trace.find(({ name }) => name.startsWith('process deliver'))
  expect(ancestors(delivery)).toContain(job?.spanId)
  for (const name of ['transaction', 'storage adopt', 'storage read']) {
    expect(named(name).length).toBeGreaterThan(0)
  }
})

test('what begins without a trace of its caller has one of its own', () => {
  const registration = spans.find(({ name }) => name === 'POST /api/auth/register')
  expect(registration?.parentSpanId).toBe('')
  expect(registration?.traceId).not.toBe(traceId)
})

function ancestors(span: ReceivedSpan | undefined): string[] {
  const ids: string[] = []
  let id = span?.parentSpanId
  while (id !== undefined && id !== '' && !ids.includes(id)) {
    ids.push(id)
    const parent = id
    id = spans.find(({ spanId }) => spanId === parent)?.parentSpanId
  }
  return ids
}

async function startWebhookReceiver() {
  const delivered = Promise.withResolvers<{ headers: IncomingHttpHeaders }>()
  const server = createServer((req, res) => {
    delivered.resolve({ headers: req.headers })
    req.resume()
    res.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    delivered: delivered.promise,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
