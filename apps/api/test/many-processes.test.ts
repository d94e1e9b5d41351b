import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { goodPassword, postJson } from './organization.ts'
import { pdf } from './pdf.ts'
import { type ServiceProcess, startProcess } from './processes.ts'
import { ended, formOf, normalized, registerSubmitter, type Submitter } from './submitter.ts'

let database: TestDatabase
let directory: string
let apis: [ServiceProcess, ServiceProcess]
let workers: ServiceProcess[]
let submitter: Submitter
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(join(tmpdir(), 'pdfnorm-many-'))
  const started = await Promise.all([
    start('api'),
    start('api'),
    start('worker'),
    start('worker'),
    start('worker'),
  ])
  apis = [started[0], started[1]]
  workers = started.slice(2)
  submitter = await registerSubmitter(at(apis[0]))
}, 120_000)
afterAll(async () => {
  await Promise.all([...apis, ...workers].map((service) => service.end()))
  await database.drop()
  await rm(directory, { recursive: true, force: true, maxRetries: 20 })
})

test('a document is submitted at one process, run by another, polled and fetched at a third', async () => {
  const [first, second] = apis
  const accepted = await normalized(
    submit(first, pdf({ text: 'from one to another' }), { Prefer: 'respond-async' }),
    202,
  )
  const polling = { get: (path: string) => get(second, path) }
  const record = await ended(polling, accepted.submissionId)
  expect(record.status).toBe('SUCCESS')

  const hash = record.outputHash?.replace('sha256:', '') ?? ''
  for (const service of apis) {
    const artifact = await get(service, `/api/artifacts/${hash}`)
    expect(
      createHash('sha256')
        .update(await artifact.bytes())
        .digest('hex'),
    ).toBe(hash)
  }
  expect(workers.flatMap(({ log }) => log).filter(isEndOf(accepted.submissionId))).toHaveLength(1)
})

test('whoever waits is answered by each process with what a worker made', async () => {
  for (const [index, service] of apis.entries()) {
    const answer = await normalized(submit(service, pdf({ text: `waited for ${index}` })))
    expect(answer.status).toBe('SUCCESS')
  }
})

test('a key that is revoked at one process is refused by the other at once', async () => {
  const [first, second] = apis
  const { id, fullKey } = await submitter.organization.createKey()
  const use = () => fetch(`${second.url}/api/batches`, { headers: { 'X-Api-Key': fullKey } })
  expect((await use()).status).toBe(200)
  const revoked = await fetch(`${first.url}/api/portal/api-keys/${id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${submitter.organization.accessToken}` },
  })
  expect(revoked.status).toBe(200)
  expect((await use()).status).toBe(401)
})

test('a limit holds over both', async () => {
  const credentials = { email: 'nobody@example.com', password: goodPassword }
  // Signing the owner in took one of the five.
  for (const service of [apis[0], apis[1], apis[0], apis[1]]) {
    expect((await postJson(at(service), '/api/auth/login', credentials)).status).toBe(401)
  }
  for (const service of apis) {
    expect((await postJson(at(service), '/api/auth/login', credentials)).status).toBe(429)
  }
})

test('of two requests for the last document of the quota one passes', async () => {
  await database.query('update document_usage set documents = 99')
  const answers = await Promise.all(
    apis.map((service, index) =>
      submit(service, pdf({ text: `last ${index}` }), { Prefer: 'respond-async' }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 402]))
  await database.query('update document_usage set documents = 0')
})

test('a worker tells how it is, and answers nothing else', async () => {
  const [worker] = workers
  if (worker === undefined) throw new Error('There is no worker')
  expect(await (await fetch(`${worker.url}/readyz`)).json()).toMatchObject({ status: 'ready' })
  expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
  const metrics = await (await fetch(`${worker.url}/metrics`)).text()
  expect(metrics).toContain('pdfnorm_queue_oldest_job_age_seconds{queue="normalize-submission"}')
  expect(metrics).toContain('pdfnorm_normalizer_workers{state="busy"}')
  expect((await fetch(`${worker.url}/api/submissions`)).status).toBe(404)
})

test('all processes are replaced one after another, and no request fails', async () => {
  const ends: string[] = []
  const state = { replaced: false }
  const client = async () => {
    while (!state.replaced) {
      const document = pdf({ text: `during ${ends.length}` })
      const answer = submit(await readyOne(), document, { Prefer: 'respond-async' })
      const { submissionId } = await normalized(answer, 202)
      ends.push((await ended(pollingReadyOne, submissionId)).status)
    }
  }
  const sending = client()

  const [first, second, worker] = await Promise.all([start('api'), start('api'), start('worker')])
  for (const [index, next] of [first, second].entries()) {
    const former = apis[index]
    apis[index] = next
    await former?.end()
    expect(former?.child.exitCode).toBe(0)
  }
  const [formerWorker] = workers
  workers[0] = worker
  await formerWorker?.end()
  state.replaced = true
  await sending

  expect(ends.length).toBeGreaterThan(1)
  expect(new Set(ends)).toEqual(new Set(['SUCCESS']))
}, 120_000)

function start(role: 'api' | 'worker'): Promise<ServiceProcess> {
  return startProcess({
    PROCESS_ROLE: role,
    DATABASE_URL: database.connection.url,
    DATA_DIR: directory,
    BASE_URL: 'http://service.test',
    MIGRATE_AT_START: 'false',
    WORKER_CONCURRENCY: '1',
    SHUTDOWN_DELAY: '300ms',
  })
}

/** What a load balancer does: the next one that says that it is ready. */
async function readyOne(): Promise<ServiceProcess> {
  for (;;) {
    for (const service of apis) {
      const answer = await fetch(`${service.url}/readyz`).catch(() => null)
      if (answer?.status === 200) return service
    }
  }
}

const pollingReadyOne = { get: async (path: string) => get(await readyOne(), path) }

function at({ url }: ServiceProcess) {
  return { fetch: (path: string, init?: RequestInit) => fetch(url + path, init) }
}

function submit(
  service: ServiceProcess,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${service.url}/api/normalize`, {
    method: 'POST',
    headers: { 'X-Api-Key': submitter.key, ...headers },
    body: formOf(bytes),
  })
}

function get(service: ServiceProcess, path: string): Promise<Response> {
  return fetch(service.url + path, { headers: { 'X-Api-Key': submitter.key } })
}

function isEndOf(submissionId: string) {
  return (line: Record<string, unknown>) =>
    line['msg'] === 'a submission ended' && line['submissionId'] === submissionId
}
