import { createHash } from 'node:crypto'
import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PortalRpc } from '../src/rpc/portal-rpc.ts'
import { joinTestOrganization } from './member.ts'
import { registerTestOrganization, type TestOrganization } from './organization.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { formOf } from './submitter.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server[Symbol.asyncDispose]())

test('a plain member tries a document out: the same answer, quota, report and certificate as for a key', async () => {
  const organization = await registerTestOrganization(server)
  const member = await joinTestOrganization(server, organization, 'member')
  const body = formOf(pdf({ text: 'tried out' }), { linearize: 'false', idempotency_key: 'once' })
  const response = await member.fetch('/api/portal/submissions', { method: 'POST', body })
  expect(response.status).toBe(200)
  const answer = NormalizeResponse.parse(await response.json())
  expect(answer).toMatchObject({ status: 'SUCCESS', normalized: { linearized: false } })
  const hash = answer.normalized?.sha256 ?? ''

  const again = await member.fetch('/api/portal/submissions', {
    method: 'POST',
    body: formOf(pdf({ text: 'tried out' }), { idempotency_key: 'once' }),
  })
  expect(again.headers.get('idempotent-replayed')).toBe('true')

  const download = await member.fetch(`/api/portal/artifacts/${hash}`)
  expect(download.headers.get('content-type')).toBe('application/pdf')
  const bytes = new Uint8Array(await download.arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash)

  const { submissions, statistics } = portal(member.accessToken)
  const { submissionId } = answer
  expect(await submissions.get.query({ submissionId })).toMatchObject({
    submissionId,
    status: 'SUCCESS',
    normalized: { sha256: hash },
    options: { linearize: false, signedPdfPolicy: 'reject' },
    region: 'ca-central-1',
    batchId: null,
  })
  expect((await submissions.report.query({ hash })).stages).toHaveLength(10)
  expect((await submissions.certificate.query({ hash })).certificate).toMatch(/^ey/)
  expect((await statistics.get.query()).usedThisMonth).toBe(1)
  expect(await statistics.history.query()).toMatchObject({
    cycles: [{ total: 1, success: 1, failed: 0, rejected: 0 }],
    days: [{ day: new Date().toISOString().slice(0, 10), total: 1, success: 1 }],
  })
})

test('submissions are listed page by page, all or of one status', async () => {
  const organization = await registerTestOrganization(server)
  const [first, rejected] = await Promise.all([
    submit(organization, pdf({ text: 'one' })),
    submit(organization, pdf({ text: 'two', version: '3.0' })),
  ])
  const { submissions } = portal(organization.accessToken)
  const all = await submissions.list.query({})
  expect(all.total).toBe(2)
  expect(all.submissions.map(({ submissionId }) => submissionId).toSorted()).toEqual(
    [first.submissionId, rejected.submissionId].toSorted(),
  )
  expect(await submissions.list.query({ page: 2, page_size: 1 })).toMatchObject({
    submissions: [{ submissionId: all.submissions[1]?.submissionId }],
    total: 2,
  })
  expect(await submissions.list.query({ status: 'REJECTED' })).toMatchObject({
    submissions: [{ submissionId: rejected.submissionId }],
    total: 1,
  })
  expect(await submissions.list.query({ status: 'FAILED' })).toEqual({ submissions: [], total: 0 })
})

test('of the documents of another organization a member sees nothing', async () => {
  const mine = await registerTestOrganization(server)
  const theirs = await registerTestOrganization(server)
  const { submissionId, normalized } = await submit(theirs, pdf({ text: 'of others' }))
  const hash = normalized?.sha256 ?? ''

  const download = await mine.fetch(`/api/portal/artifacts/${hash}`)
  expect(Problem.parse(await download.json()).code).toBe('FORBIDDEN_RESOURCE')
  const { submissions } = portal(mine.accessToken)
  const refusedWith = (refusal: string) => ({ data: { refusal } })
  await expect(submissions.get.query({ submissionId })).rejects.toMatchObject(
    refusedWith('NOT_FOUND'),
  )
  await expect(submissions.report.query({ hash })).rejects.toMatchObject(
    refusedWith('FORBIDDEN_RESOURCE'),
  )
  await expect(submissions.certificate.query({ hash })).rejects.toMatchObject(
    refusedWith('NOT_FOUND'),
  )
  expect(await submissions.list.query({})).toEqual({ submissions: [], total: 0 })
})

test('a member normalizes no more than the plan has, and nothing for a deactivated organization', async () => {
  const organization = await registerTestOrganization(server)
  await submit(organization, pdf({ text: 'the first' }))
  await server.database.query(
    'update document_usage set documents = 100 where organization_id = $1',
    [organization.id],
  )
  const one = { method: 'POST', body: formOf(pdf({ text: 'one too many' })) }
  const full = await organization.fetch('/api/portal/submissions', one)
  expect(Problem.parse(await full.json()).code).toBe('QUOTA_EXCEEDED')

  await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
  const ended = await organization.fetch('/api/portal/submissions', one)
  expect(Problem.parse(await ended.json()).code).toBe('ORGANIZATION_INACTIVE')
})

test('a member hears in which stage a document of the organization is, and of none of another one', async () => {
  const gate = Promise.withResolvers<never>()
  gate.promise.catch(() => undefined)
  await using held = await startTestServer({
    normalizer: {
      normalize: () => gate.promise,
      stageOf: () => 3,
      close: async () => gate.reject(new Error('closed')),
    },
  })
  const mine = await registerTestOrganization(held)
  const theirs = await registerTestOrganization(held)
  const bytes = pdf({ text: 'on its way' })
  const hash = createHash('sha256').update(bytes).digest('hex')
  const sent = mine.fetch('/api/portal/submissions', {
    method: 'POST',
    headers: { Prefer: 'wait=1' },
    body: formOf(bytes),
  })
  const stageFor = async ({ accessToken }: TestOrganization) =>
    (await portal(accessToken, held).submissions.stage.query({ hash })).stage

  await expect.poll(() => stageFor(mine), { interval: 20, timeout: 20_000 }).toBe(3)
  expect(await stageFor(theirs)).toBeNull()
  expect((await sent).status).toBe(202)
  gate.reject(new Error('over'))
})

async function submit(
  { fetch }: TestOrganization,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<NormalizeResponse> {
  const init = { method: 'POST', body: formOf(bytes) }
  return NormalizeResponse.parse(await (await fetch('/api/portal/submissions', init)).json())
}

function portal(accessToken: string, { url }: Pick<TestServer, 'url'> = server) {
  const headers = { Authorization: `Bearer ${accessToken}` }
  return createTRPCClient<PortalRpc>({
    links: [httpBatchLink({ url: `${url}/rpc`, headers })],
  })
}
