import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdf } from './pdf.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import { ended, normalized, registerSubmitter, type Submitter } from './submitter.ts'

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer({ environment: { PROCESS_ROLE: 'api', SYNC_DEADLINE: '20s' } })
  submitter = await registerSubmitter(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

test('a process without workers answers with what a worker made of the document meanwhile', async () => {
  await using _worker = await startWorker()
  const response = await normalized(submitter.submit(pdf({ text: 'by a worker' })))
  expect(response).toMatchObject({ status: 'SUCCESS', failure: null })
  expect(
    (await submitter.get(new URL(response.normalized?.downloadUrl ?? '').pathname)).status,
  ).toBe(200)

  const rejected = await normalized(
    submitter.submit(pdf({ text: 'another major version', version: '3.0' })),
  )
  expect(rejected).toMatchObject({
    status: 'REJECTED',
    failure: { code: 'UNSUPPORTED_PDF_VERSION' },
  })
})

test('it hears of the end also after its connection for notifications broke', async () => {
  const listening = "datname = current_database() and query like 'listen %'"
  const cut = await server.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where ${listening}`,
  )
  expect(cut.length).toBeGreaterThan(0)
  await using _worker = await startWorker()
  const response = await normalized(submitter.submit(pdf({ text: 'unheard' })))
  expect(response.status).toBe('SUCCESS')
})

test('a caller whom no worker serves in time is answered 202, and a worker goes on later', async () => {
  const waiting = submitter.submit(pdf({ text: 'late' }), {}, { Prefer: 'wait=1' })
  const { submissionId, status } = await normalized(waiting, 202)
  expect(status).toBe('PENDING')

  await using _worker = await startWorker()
  expect((await ended(submitter, submissionId)).status).toBe('SUCCESS')
})

test('its callers are answered at once where they want no more', async () => {
  const headers = { Prefer: 'respond-async' }
  const answer = submitter.submit(pdf({ text: 'not waited for' }), {}, headers)
  expect((await normalized(answer, 202)).status).toBe('PENDING')
})

function startWorker(): Promise<TestServer> {
  return startBeside(server, { environment: { PROCESS_ROLE: 'worker' }, work: true })
}
