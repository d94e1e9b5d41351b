import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { normalizeSubmissionJob } from '../src/job/normalize-submission.job.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { ended, normalized, registerSubmitter, storedFiles, type Submitter } from './submitter.ts'

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

async function submitted(text: string): Promise<string> {
  const answer = submitter.submit(pdf({ text }), {}, { Prefer: 'respond-async' })
  return (await normalized(answer, 202)).submissionId
}

/** One try of the job, as a worker makes it. */
async function work(submissionId: string): Promise<void> {
  const payload = { organizationId: submitter.organization.id, submissionId }
  const { signal } = new AbortController()
  await normalizeSubmissionJob.run(server.platform, payload, { isLast: false, signal })
}

async function recordOf(submissionId: string): Promise<unknown> {
  const response = await submitter.get(`/api/submissions/${submissionId}`)
  return response.json()
}

test('a document is not given up while the disk of its storage is away, and succeeds when it is back', async () => {
  const id = await submitted('patient')
  const disk = join(server.config.dataDirectory, 'objects', 'ca-central-1')
  await rename(disk, `${disk}.away`)

  await expect(work(id)).rejects.toThrow('ENOENT')
  expect(await recordOf(id)).toMatchObject({ status: 'IN_PROGRESS' })

  await rename(`${disk}.away`, disk)
  await work(id)
  expect(await ended(submitter, id)).toMatchObject({ status: 'SUCCESS' })
})

test('a document whose original alone is gone fails', async () => {
  const id = await submitted('lost')
  const original = (await storedFiles(server)).find((path) => path.includes(id))
  await rm(join(server.config.dataDirectory, 'objects', original ?? ''))

  await work(id)
  expect(await ended(submitter, id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'INTERNAL_ERROR' },
  })
})
