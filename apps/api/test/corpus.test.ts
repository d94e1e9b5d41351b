import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { Report } from '@pdfnorm/contracts/schema/report'
import { VerificationResult } from '@pdfnorm/contracts/schema/attestation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'
import { registerSubmitter, sha256Of, type Submitter } from './submitter.ts'

const corpus = join(import.meta.dirname, '../../../../shared/corpus')
/** What the synchronous path takes; larger files are tried where they belong. */
const sampleMaxBytes = 512 * 1024

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** The first file of each kind that is small enough. */
async function samples(): Promise<string[]> {
  const files: string[] = []
  for (const entry of await readdir(corpus, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    for (const name of (await readdir(join(corpus, entry.name))).toSorted()) {
      const path = join(corpus, entry.name, name)
      if ((await stat(path)).size > sampleMaxBytes) continue
      files.push(path)
      break
    }
  }
  return files
}

test.skipIf(!existsSync(corpus))(
  'one real PDF of each kind goes from upload to certificate, or is refused for a documented reason (skipped without the corpus)',
  async () => {
    const files = await samples()
    const outcomes = new Map<string, number>()
    for (const path of files) {
      const outcome = await goThrough(await readFile(path))
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }

    expect(files.length).toBeGreaterThan(20)
    expect(Object.fromEntries(outcomes)).toMatchObject({
      SUCCESS: expect.toSatisfy((count: number) => count > files.length / 2),
      INVALID_FILE: 1,
      ENCRYPTED_PDF: expect.any(Number),
      POLICY_REJECTION: expect.any(Number),
    })
    expect([...outcomes.keys()]).not.toContain('INTERNAL_ERROR')
  },
)

/** @returns SUCCESS, or the code of the refusal or failure */
async function goThrough(original: Buffer<ArrayBuffer>): Promise<string> {
  const response = await submitter.submit(original)
  const answer: unknown = await response.json()
  if (response.status === 400) return Problem.parse(answer).code

  expect(response.status).toBe(200)
  const body = NormalizeResponse.parse(answer)
  expect(body.original).toEqual({ sha256: sha256Of(original), sizeBytes: original.length })
  if (body.normalized === null) return body.failure?.code ?? 'no failure'

  const { sha256 } = body.normalized
  const artifact = await submitter.get(`/api/artifacts/${sha256}`)
  expect(sha256Of(new Uint8Array(await artifact.arrayBuffer()))).toBe(sha256)
  const report = Report.parse(await (await submitter.get(`/api/reports/${sha256}`)).json())
  expect(report.submissionId).toBe(body.submissionId)
  const verification = await (await submitter.get(`/api/verify/${sha256}`)).json()
  expect(VerificationResult.parse(verification)).toMatchObject({ valid: true, reason: null })
  expect((await submitter.get(`/api/certificates/${sha256}`)).status).toBe(200)
  return body.status
}
