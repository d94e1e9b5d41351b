import { plans } from '@pdfnorm/contracts/schema/plan'
import { SecurityInfo } from '@pdfnorm/contracts/schema/security-findings'
import { Submission } from '@pdfnorm/contracts/schema/submission'
import { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encryptedPdf, pdf, pdfWithJavascript } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  formOf,
  normalized,
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  sha256Of,
  storedFiles,
  type Submitter,
  whatIsStored,
} from './submitter.ts'

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
})
afterAll(() => server[Symbol.asyncDispose]())

test('a small PDF is normalized at once, with every finding', async () => {
  const original = pdf({ text: 'a small document' })
  const response = await submitter.submit(original)
  const requestId = response.headers.get('x-request-id')
  const body = await normalized(response)

  expect(body).toMatchObject({
    apiVersion: '2026-11-01',
    requestId,
    status: 'SUCCESS',
    original: { sha256: sha256Of(original), sizeBytes: original.length },
    tamperAnalysis: { riskLevel: 'none', anomaliesDetected: 0, anomalies: [] },
    failure: null,
  })
  expect(SecurityInfo.parse(body.security).overallSignatureStatus).toBe('NONE')
  expect(ValidationInfo.parse(body.validation).nonEmbeddedFontsDetected).toBe(true)
  expect(body.normalized).toMatchObject({
    linearized: true,
    contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    downloadUrl: `${server.url}/api/artifacts/${body.normalized?.sha256}`,
  })
})

test('the artifact has the hash and the size that the answer names', async () => {
  const { response, sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'hashed' }))
  const artifact = await submitter.get(`/api/artifacts/${sha256}`)
  const bytes = new Uint8Array(await artifact.arrayBuffer())

  expect(sha256Of(bytes)).toBe(sha256)
  expect(bytes.length).toBe(response.normalized?.sizeBytes)
  expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-')
})

test('what is active is removed, and the answer says so', async () => {
  const { response, sha256 } = await normalizeSuccessfully(submitter, pdfWithJavascript('active'))
  const artifact = await submitter.get(`/api/artifacts/${sha256}`)

  expect(response.security).toMatchObject({ javascriptRemoved: true, openActionsRemoved: true })
  expect(await artifact.text()).not.toContain('/JavaScript')
})

test('the record tells the same as the answer', async () => {
  const { response, sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'recorded' }))
  const record = await submitter.get(`/api/submissions/${response.submissionId}`)

  expect(Submission.parse(await record.json())).toEqual({
    apiVersion: '2026-11-01',
    submissionId: response.submissionId,
    status: 'SUCCESS',
    createdAt: expect.any(String),
    completedAt: expect.any(String),
    processingTimeMs: response.processingTimeMs,
    outputHash: `sha256:${sha256}`,
    outputSizeBytes: response.normalized?.sizeBytes,
    downloadUrl: response.normalized?.downloadUrl,
    warnings: response.warnings,
  })
})

test('the same document gives the same artifact, stored once for all organizations', async () => {
  const other = await registerSubmitter(server)
  const document = pdf({ text: 'shared by content' })
  const first = await normalizeSuccessfully(submitter, document)
  const before = (await storedFiles(server)).filter((file) => file.includes('artifacts'))
  const second = await normalizeSuccessfully(other, document)
  const after = (await storedFiles(server)).filter((file) => file.includes('artifacts'))

  expect(second.sha256).toBe(first.sha256)
  expect(second.response.submissionId).not.toBe(first.response.submissionId)
  expect(after).toEqual(before)
})

describe('a document that policy refuses, or that cannot be normalized, is answered with 200', () => {
  test('REJECTED and ENCRYPTED_PDF for an encrypted one', async () => {
    const body = await normalized(submitter.submit(encryptedPdf('secret')))

    expect(body).toMatchObject({
      status: 'REJECTED',
      normalized: null,
      security: { encryptedInput: true },
      failure: { code: 'ENCRYPTED_PDF' },
    })
  })

  test('REJECTED and UNSUPPORTED_PDF_VERSION for a major version that does not exist', async () => {
    const body = await normalized(submitter.submit(pdf({ text: 'x', version: '3.0' })))

    expect(body).toMatchObject({
      status: 'REJECTED',
      failure: { code: 'UNSUPPORTED_PDF_VERSION' },
    })
  })

  test('FAILED and MALFORMED_PDF for one that nothing can be read of, with its stage', async () => {
    const body = await normalized(submitter.submit(Buffer.from('%PDF-1.7\nand nothing else')))

    expect(body).toMatchObject({ status: 'FAILED', failure: { code: 'MALFORMED_PDF' } })
    expect(body.normalized).toBeNull()
    const record = await submitter.get(`/api/submissions/${body.submissionId}`)
    expect(Submission.parse(await record.json())).toMatchObject({
      status: 'FAILED',
      completedAt: null,
      outputHash: null,
      outputSizeBytes: null,
      downloadUrl: null,
      failure: { code: 'MALFORMED_PDF' },
    })
  })

  test('REJECTED and FILE_TOO_LARGE for one over the size of the plan; its bytes are not kept', async () => {
    const large = pdf({ text: 'large', paddingBytes: plans.free.maxFileBytes })
    const before = await whatIsStored(server)
    const body = await normalized(submitter.submit(large))

    expect(body).toMatchObject({
      status: 'REJECTED',
      original: { sha256: sha256Of(large), sizeBytes: large.length },
      normalized: null,
      failure: { code: 'FILE_TOO_LARGE', stage: null },
    })
    const { submissions } = before as { submissions: number }
    expect(await whatIsStored(server)).toEqual({ ...before, submissions: submissions + 1 })
  })
})

describe('a region', () => {
  const regionsOf = async (submissionId: string) =>
    (await storedFiles(server)).filter((file) => file.includes(submissionId))

  test('that is named is where the original lies', async () => {
    const body = await normalized(submitter.submit(pdf({ text: 'eu' }), { region: 'eu-central-1' }))

    expect(await regionsOf(body.submissionId)).toEqual([
      expect.stringMatching(/^eu-central-1\/org_[0-9a-f]+\/originals\//),
    ])
  })

  test('that is not named is the organization’s default, else the first one allowed', async () => {
    const other = await registerSubmitter(server)
    const first = await normalized(other.submit(pdf({ text: 'first' })))
    await server.database.query(
      `update organization set default_region = 'us-east-2' where id = $1`,
      [other.organization.id],
    )
    const second = await normalized(other.submit(pdf({ text: 'second' })))

    expect(await regionsOf(first.submissionId)).toEqual([expect.stringMatching(/^ca-central-1\//)])
    expect(await regionsOf(second.submissionId)).toEqual([expect.stringMatching(/^us-east-2\//)])
  })

  test('that does not exist or is not allowed is refused', async () => {
    const other = await registerSubmitter(server)
    await server.database.query(
      `update organization set allowed_regions = '{ca-central-1}' where id = $1`,
      [other.organization.id],
    )

    await problem(other.submit(pdf({ text: 'x' }), { region: 'mars' }), 400, 'INVALID_REGION')
    const notAllowed = await problem(
      other.submit(pdf({ text: 'x' }), { region: 'us-east-2' }),
      400,
      'REGION_NOT_ALLOWED',
    )
    expect(notAllowed.detail).toContain('allowed: ca-central-1')
  })
})

test('options of the form reach the pipeline, in every spelling of a boolean', async () => {
  for (const linearize of ['false', '0']) {
    const body = await normalized(submitter.submit(pdf({ text: 'plain' }), { linearize }))
    expect(body.normalized?.linearized).toBe(false)
  }
  const linearized = await normalized(
    submitter.submit(pdf({ text: 'plain' }), { linearize: '1', signed_pdf_policy: 'strip' }),
  )
  expect(linearized.normalized?.linearized).toBe(true)
})

test('a key without the scope normalize, no key and an unknown key are refused', async () => {
  const { fullKey } = await submitter.organization.createKey(['read'])
  const body = () => formOf(pdf({ text: 'x' }))
  const post = (headers: Record<string, string>) =>
    server.fetch('/api/normalize', { method: 'POST', headers, body: body() })

  await problem(post({ 'X-Api-Key': fullKey }), 403, 'INSUFFICIENT_SCOPE')
  await problem(post({}), 401, 'MISSING_CREDENTIALS')
  await problem(post({ 'X-Api-Key': 'pdfnorm_nobody' }), 401, 'INVALID_API_KEY')
  expect((await post({ 'X-Api-Key': submitter.key })).status).toBe(200)
})

test('a submission of another organization, and an id that is none, are not found', async () => {
  const other = await registerSubmitter(server)
  const { response } = await normalizeSuccessfully(submitter, pdf({ text: 'mine' }))

  await problem(other.get(`/api/submissions/${response.submissionId}`), 404, 'NOT_FOUND')
  await problem(submitter.get('/api/submissions/not-an-id'), 404, 'NOT_FOUND')
  expect((await submitter.get(`/api/submissions/${response.submissionId}`)).status).toBe(200)
})
