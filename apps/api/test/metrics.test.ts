import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withOrganization } from '../src/database/transaction.ts'
import { pdf } from './pdf.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import { normalized, registerSubmitter, type Submitter } from './submitter.ts'

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer({ ownNormalizer: true })
  submitter = await registerSubmitter(server)
})
afterAll(() => server[Symbol.asyncDispose]())

test('a document is counted by how it ended, with its size and the time of each stage', async () => {
  await normalized(submitter.submit(pdf({ text: 'counted' })))
  await normalized(submitter.submit(Buffer.from('%PDF-1.4 and nothing else')))

  const metrics = await readMetrics(server)
  expect(metrics.get('pdfnorm_submissions_ended_total{status="SUCCESS",code="none"}')).toBe(1)
  expect(metrics.get('pdfnorm_submissions_ended_total{status="FAILED",code="MALFORMED_PDF"}')).toBe(
    1,
  )
  expect(metrics.get('pdfnorm_document_size_bytes_count')).toBe(2)
  for (const stage of pipelineStages) {
    expect(
      metrics.get(`pdfnorm_stage_duration_seconds_count{stage="${stage}"}`),
    ).toBeGreaterThanOrEqual(1)
  }
})

test('the queues are measured by what waits in them and how long', async () => {
  const { id, schemaName } = await organizationOf(submitter)
  await withOrganization(server.platform.orm, id, (em) =>
    server.platform.queue.send(
      em,
      'send-mail',
      { organizationId: id, seed: '' },
      {
        schemaName,
        planTier: 'free',
      },
    ),
  )
  await server.database.query(
    `update pgboss.job set created_on = now() - age, start_after = now() - age
     from (select interval '90 seconds' as age) where name = 'send-mail'`,
  )
  await server.database.query('update pgboss.queue set monitor_on = null, monitor_claim_on = null')
  await server.platform.queue.boss.supervise('send-mail')

  await using beside = await startBeside(server)
  const metrics = await readMetrics(beside)
  expect(metrics.get('pdfnorm_queue_jobs{queue="send-mail",state="ready"}')).toBeGreaterThanOrEqual(
    1,
  )
  const age = metrics.get('pdfnorm_queue_oldest_job_age_seconds{queue="send-mail"}')
  expect(age).toBeGreaterThanOrEqual(90)
  expect(age).toBeLessThan(3600)
  expect(metrics.get('pdfnorm_queue_oldest_job_age_seconds{queue="bill-overage"}')).toBe(0)
})

test('the workers and the connections of the process are measured', async () => {
  const metrics = await readMetrics(server)
  expect(metrics.get('pdfnorm_normalizer_workers{state="busy"}')).toBe(0)
  expect(metrics.get('pdfnorm_normalizer_workers{state="idle"}')).toBe(2)
  expect(metrics.get('pdfnorm_normalizer_documents_waiting')).toBe(0)
  expect(metrics.get('pdfnorm_database_connections{state="idle"}')).toBeGreaterThan(0)
})

test('no label tells an organization, a submission or a key', async () => {
  const text = await (await server.fetch('/metrics')).text()
  const { id } = await organizationOf(submitter)
  expect(text).not.toContain(id)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect(text).not.toContain(submitter.key.slice(0, 16))
})

async function organizationOf({ organization }: Submitter) {
  const { id } = organization
  return { id, schemaName: `org_${id.replaceAll('-', '')}` }
}

/** Samples by name and labels, as they stand in the text. */
async function readMetrics({ fetch }: TestServer): Promise<Map<string, number>> {
  const text = await (await fetch('/metrics')).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}
