import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { Report } from '@pdfnorm/contracts/schema/report'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdf, pdfWithJavascript } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { normalizeSuccessfully, problem, registerSubmitter, type Submitter } from './submitter.ts'

const day = 24 * 60 * 60 * 1000

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
})
afterAll(() => server[Symbol.asyncDispose]())

async function reportOn(reader: Submitter, sha256: string): Promise<Report> {
  return Report.parse(await (await reader.get(`/api/reports/${sha256}`)).json())
}

test('a report tells what each of the ten stages did', async () => {
  const { response, sha256 } = await normalizeSuccessfully(submitter, pdfWithJavascript('active'))
  const report = await reportOn(submitter, sha256)

  expect(report).toMatchObject({
    apiVersion: '2026-11-01',
    outputHash: `sha256:${sha256}`,
    submissionId: response.submissionId,
    processingTimeMs: response.processingTimeMs,
    warnings: response.warnings,
    tamperAnalysis: { detected: false, findings: [] },
    pdfaValidator: { validated: false, errors: [] },
  })
  expect(report.stages.map(({ stage, name }) => [stage, name])).toEqual(
    pipelineStages.map((name, stage) => [stage, name]),
  )
  expect(report.stages.map(({ result }) => result)).toEqual([
    'pdf_1_7',
    'clean',
    'clean',
    'none',
    'removed',
    'no_forms',
    'normalized',
    'missing_1',
    'success',
    `sha256:${response.normalized?.contentHash}`,
  ])
  expect(report.stages.filter((stage) => 'findings' in stage).map(({ name }) => name)).toEqual([
    'TamperDetection',
  ])
})

test('what tampering was found stands in the report too', async () => {
  const appended = Buffer.concat([pdf({ text: 'appended' }), Buffer.alloc(2000, 'A')])
  const { response, sha256 } = await normalizeSuccessfully(submitter, appended)
  const report = await reportOn(submitter, sha256)

  expect(response.tamperAnalysis?.anomalies.map(({ type }) => type)).toContain('POST_EOF_DATA')
  expect(report.tamperAnalysis).toEqual({
    detected: true,
    findings: response.tamperAnalysis?.anomalies,
  })
  expect(report.stages[1]?.findings).toEqual(response.tamperAnalysis?.anomalies)
})

test('of several submissions with one output it is the most recent', async () => {
  const document = pdf({ text: 'twice' })
  await normalizeSuccessfully(submitter, document)
  server.clock.advance(1000)
  const { response, sha256 } = await normalizeSuccessfully(submitter, document)

  expect((await reportOn(submitter, sha256)).submissionId).toBe(response.submissionId)
})

test('another organization sees 403, unless it made the same output, and then its own report', async () => {
  const other = await registerSubmitter(server)
  const document = pdf({ text: 'shared output' })
  const { sha256 } = await normalizeSuccessfully(submitter, document)
  await problem(other.get(`/api/reports/${sha256}`), 403, 'FORBIDDEN_RESOURCE')

  const { response } = await normalizeSuccessfully(other, document)
  expect((await reportOn(other, sha256)).submissionId).toBe(response.submissionId)
})

test('an unknown hash is not found, a malformed one refused', async () => {
  await problem(submitter.get(`/api/reports/${'a'.repeat(64)}`), 404, 'NOT_FOUND')
  const malformed = await problem(submitter.get('/api/reports/abc'), 400, 'INVALID_SHA256')
  expect(malformed.errors?.map(({ location }) => location)).toEqual(['path.hash'])
})

test('a report is kept as long as its plan says', async () => {
  const own = await registerSubmitter(server)
  const { sha256 } = await normalizeSuccessfully(own, pdf({ text: 'kept' }))
  server.clock.advance((plans.free.retentionDays - 1) * day)
  expect((await reportOn(own, sha256)).outputHash).toBe(`sha256:${sha256}`)
  server.clock.advance(2 * day)

  await problem(own.get(`/api/reports/${sha256}`), 404, 'EXPIRED')
})
