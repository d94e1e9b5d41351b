import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { pdf } from './pdf.ts'
import { startProcess } from './processes.ts'
import { ended, normalized, problem, registerSubmitter } from './submitter.ts'

test('a service whose database goes away says so, and goes on by itself when it is back', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-outage-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20 }))
  let postgres = await startPostgres(directory)
  onTestFinished(() => postgres.stop())
  const service = await startProcess({
    DATABASE_URL: postgres.url,
    DATA_DIR: directory,
    WORKER_CONCURRENCY: '1',
  })
  onTestFinished(() => service.end())
  const get = (path: string, init?: RequestInit) => fetch(service.url + path, init)
  const submitter = await registerSubmitter({ fetch: get })

  await postgres.stop()
  const ready = await get('/readyz')
  expect(ready.status).toBe(503)
  expect(await ready.json()).toEqual({
    status: 'unavailable',
    checks: { database: 'failed', storage: 'ok', queue: 'failed' },
  })
  expect((await get('/healthz')).status).toBe(200)
  expect((await get('/metrics')).status).toBe(200)
  const refused = await submitter.submit(pdf({ text: 'while it is away' }))
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await problem(refused, 503, 'UNAVAILABLE')

  postgres = await startPostgres(directory)
  await expect.poll(async () => (await get('/readyz')).status, { timeout: 25_000 }).toBe(200)
  const headers = { Prefer: 'respond-async' }
  const accepted = submitter.submit(pdf({ text: 'when it is back' }), {}, headers)
  const { submissionId } = await normalized(accepted, 202)
  expect((await ended(submitter, submissionId)).status).toBe('SUCCESS')
}, 90_000)

function startPostgres(directory: string) {
  return startEmbeddedPostgres(join(directory, 'database'), pino({ level: 'fatal' }), {
    fsync: 'off',
  })
}
