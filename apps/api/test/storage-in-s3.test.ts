import { plans } from '@pdfnorm/contracts/schema/plan'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeExpired } from '../src/artifact/remove-expired.ts'
import { pdf } from './pdf.ts'
import { hasS3Server, type S3Server, startS3Server } from './s3-server.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  ended,
  normalized,
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  sha256Of,
  type Submitter,
} from './submitter.ts'

// object-store.test.ts says so when there is no server.
describe.runIf(hasS3Server)('the service with its objects in S3', () => {
  let s3: S3Server
  let server: TestServer
  let submitter: Submitter
  beforeAll(async () => {
    s3 = await startS3Server()
    server = await startTestServer({ environment: { STORAGE_URL: s3.storageUrl }, work: true })
    submitter = await registerSubmitter(server)
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await s3[Symbol.asyncDispose]()
  })
  const artifact = (sha256: string, headers = {}) =>
    submitter.get(`/api/artifacts/${sha256}`, headers)

  test('a document goes in and comes out, whole and in parts, from the bucket of its region', async () => {
    const body = await normalized(
      submitter.submit(pdf({ text: 'in a bucket' }), { region: 'eu-central-1' }),
    )
    const sha256 = body.normalized?.sha256 ?? ''
    const whole = Buffer.from(await (await artifact(sha256)).arrayBuffer())
    const part = await artifact(sha256, { Range: 'bytes=-16' })

    expect(sha256Of(whole)).toBe(sha256)
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, whole.subarray(-16)])
    expect(await server.platform.objects.list('eu-central-1')).toHaveLength(2)
    expect(await server.platform.objects.list('ca-central-1')).toEqual([])
    expect(await (await submitter.get(`/api/verify/${sha256}`)).json()).toMatchObject({
      valid: true,
    })
  })

  test('a job finds the original that another process took in', async () => {
    const { submissionId } = await normalized(
      submitter.submit(pdf({ text: 'later' }), {}, { Prefer: 'respond-async' }),
      202,
    )
    expect((await ended(submitter, submissionId)).status).toBe('SUCCESS')
  })

  test('while the storage is away nothing is taken in and nothing is lost', async () => {
    const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'before' }))
    await s3.stop()
    const [upload, download] = await Promise.all([
      submitter.submit(pdf({ text: 'meanwhile' })),
      artifact(sha256),
    ])
    await problem(upload, 503, 'UNAVAILABLE')
    await problem(download, 503, 'UNAVAILABLE')
    expect((await server.fetch('/readyz')).status).toBe(503)

    await s3.start()
    expect((await artifact(sha256)).status).toBe(200)
    await normalizeSuccessfully(submitter, pdf({ text: 'meanwhile' }))
    expect((await server.fetch('/readyz')).status).toBe(200)
  })

  test('what expired is gone from every bucket', async () => {
    const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'goes' }))
    server.clock.advance(plans.free.retentionDays * 24 * 60 * 60 * 1000)
    await removeExpired(server.platform, new AbortController().signal)

    await problem(artifact(sha256), 404, 'EXPIRED')
    for (const region of ['ca-central-1', 'us-east-2', 'eu-central-1'] as const) {
      expect(await server.platform.objects.list(region)).toEqual([])
    }
  })
})
