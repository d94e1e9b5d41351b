import { type PlanTier, plans } from '@pdfnorm/contracts/schema/plan'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { extendRetention } from '../src/artifact/extend-retention.ts'
import { releaseArtifacts, releaseOriginals } from '../src/artifact/release-artifacts.ts'
import { removeExpired } from '../src/artifact/remove-expired.ts'
import { claimObject } from '../src/artifact/stored-object.ts'
import { withOrganization } from '../src/database/transaction.ts'
import { OrganizationEntity } from '../src/organization/organization.ts'
import { jsonPost } from './organization.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  normalized,
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  storedFiles,
  type Submitter,
} from './submitter.ts'

const day = 24 * 60 * 60 * 1000
const kept = plans.free.retentionDays * day

let server: TestServer
let submitter: Submitter
let other: Submitter
beforeEach(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
  other = await registerSubmitter(server)
})
afterEach(() => server[Symbol.asyncDispose]())

const removeWhatExpired = () => removeExpired(server.platform, new AbortController().signal)
const artifact = (sha256: string, of = submitter) => of.get(`/api/artifacts/${sha256}`)
const report = (sha256: string, of = submitter) => of.get(`/api/reports/${sha256}`)

async function storedRows(): Promise<unknown> {
  const [counts] = await server.database.query(`
    select (select count(*)::int from artifact) as artifacts,
           (select count(*)::int from report) as reports,
           (select count(*)::int from stored_object) as objects`)
  return counts
}

async function release(of: Submitter): Promise<void> {
  const { orm, clock } = server.platform
  const { id } = of.organization
  await withOrganization(orm, id, async (em) => {
    const { schemaName } = await em.findOneOrFail(OrganizationEntity, { id })
    const now = clock.now()
    while ((await releaseArtifacts(em, { organizationId: id, now })) > 0);
    while ((await releaseOriginals(em, { id, schemaName }, now)) > 0);
  })
}

test('after the retention period original, output and report are gone for good', async () => {
  const { sha256, response } = await normalizeSuccessfully(submitter, pdf({ text: 'expires' }))
  expect(await storedFiles(server)).toHaveLength(2)

  server.clock.advance(kept - 60_000)
  await removeWhatExpired()
  expect((await artifact(sha256)).status).toBe(200)
  expect((await report(sha256)).status).toBe(200)
  expect(await storedFiles(server)).toHaveLength(2)

  server.clock.advance(60_000)
  await removeWhatExpired()
  expect(await storedFiles(server)).toEqual([])
  expect(await storedRows()).toEqual({ artifacts: 0, reports: 0, objects: 0 })
  await problem(artifact(sha256), 404, 'EXPIRED')
  await problem(report(sha256), 404, 'EXPIRED')
  expect((await submitter.get(`/api/submissions/${response.submissionId}`)).status).toBe(200)
  expect((await submitter.get(`/api/certificates/${sha256}`)).status).toBe(200)
  await problem(artifact(sha256, other), 404, 'NOT_FOUND')
})

test('what failed or was rejected keeps its original as long, and no longer', async () => {
  const body = await normalized(submitter.submit(Buffer.from('%PDF-1.7 and nothing more')))
  expect(body.status).toBe('FAILED')
  expect(await storedFiles(server)).toHaveLength(1)

  server.clock.advance(kept)
  await removeWhatExpired()
  expect(await storedFiles(server)).toEqual([])
})

test('the last completion that refers to an artifact counts, whosever it is', async () => {
  const document = pdf({ text: 'twice' })
  const { sha256 } = await normalizeSuccessfully(submitter, document)
  server.clock.advance(3 * day)
  await normalizeSuccessfully(other, document)

  server.clock.advance(kept - 3 * day)
  await removeWhatExpired()
  await problem(artifact(sha256), 404, 'EXPIRED')
  expect((await artifact(sha256, other)).status).toBe(200)

  await normalizeSuccessfully(submitter, document)
  server.clock.advance(3 * day)
  await removeWhatExpired()
  expect((await artifact(sha256)).status).toBe(200)
  await problem(artifact(sha256, other), 404, 'EXPIRED')
})

test('an output comes back when its document is submitted again after it expired', async () => {
  const document = pdf({ text: 'again' })
  const { sha256 } = await normalizeSuccessfully(submitter, document)
  server.clock.advance(kept)
  await removeWhatExpired()
  const again = await normalizeSuccessfully(submitter, document)

  expect(again.sha256).toBe(sha256)
  expect((await artifact(sha256)).status).toBe(200)
  expect((await report(sha256)).status).toBe(200)
})

test('what an organization gives up goes, except what another one has too', async () => {
  const shared = pdf({ text: 'shared' })
  const { sha256: both } = await normalizeSuccessfully(submitter, shared)
  await normalizeSuccessfully(other, shared)
  const { sha256: own } = await normalizeSuccessfully(submitter, pdf({ text: 'own' }))
  expect(await storedFiles(server)).toHaveLength(5)

  await release(submitter)
  await removeWhatExpired()
  await problem(artifact(own), 404, 'NOT_FOUND')
  await problem(artifact(both), 403, 'FORBIDDEN_RESOURCE')
  expect((await artifact(both, other)).status).toBe(200)
  expect((await storedFiles(server)).map((name) => name.replace(/\/[^/]*$/, ''))).toEqual([
    expect.stringContaining('/artifacts/'),
    expect.stringContaining('/originals'),
  ])

  await release(other)
  await removeWhatExpired()
  expect(await storedFiles(server)).toEqual([])
})

test('what another organization holds no longer than now goes at once', async () => {
  const shared = pdf({ text: 'held' })
  await normalizeSuccessfully(other, shared)
  server.clock.advance(kept)
  await normalizeSuccessfully(submitter, shared)
  await release(submitter)
  await removeWhatExpired()

  expect(await storedFiles(server)).toEqual([])
})

test('a storage that fails keeps nothing readable, and is asked again', async () => {
  const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'stubborn' }))
  server.clock.advance(kept)
  const outage = vi.spyOn(server.platform.objects, 'delete').mockRejectedValue(new Error('away'))
  await removeWhatExpired()
  outage.mockRestore()
  expect(await storedFiles(server)).toHaveLength(2)
  await problem(artifact(sha256), 404, 'EXPIRED')

  await removeWhatExpired()
  expect(await storedFiles(server)).toHaveLength(2)
  server.clock.advance(10 * 60 * 1000)
  await removeWhatExpired()
  expect(await storedFiles(server)).toEqual([])
})

test('bytes that a crash left without a row are found and removed', async () => {
  const { objects } = server.platform
  const lost = { region: 'us-east-2', key: 'org_1/originals/lost.pdf' } as const
  await claimObject(server.platform, lost)
  await objects.put(lost.region, lost.key, Buffer.from('%PDF-1.7'))
  await removeWhatExpired()
  expect(await storedFiles(server)).toHaveLength(1)

  server.clock.advance(day)
  await removeWhatExpired()
  expect(await storedFiles(server)).toEqual([])
})

test('an upload that is refused after its bytes were stored leaves none of them', async () => {
  await server.database.query('update organization set plan_tier = $1', ['free'])
  const { organization } = submitter
  await normalizeSuccessfully(submitter, pdf({ text: 'counted' }))
  await server.database.query(
    'update document_usage set documents = 100 where organization_id = $1',
    [organization.id],
  )
  const before = await storedFiles(server)

  await problem(submitter.submit(pdf({ text: 'too many' })), 402, 'QUOTA_EXCEEDED')
  expect(await storedFiles(server)).toEqual(before)
  expect(await storedRows()).toMatchObject({ objects: before.length })
})

test('an artifact whose bytes the storage lost is mended by the next output of its content', async () => {
  const document = pdf({ text: 'lost' })
  const { sha256 } = await normalizeSuccessfully(submitter, document)
  const { objects } = server.platform
  const [key = ''] = await objects.list('ca-central-1', 'artifacts/')
  await objects.delete('ca-central-1', key)
  await problem(artifact(sha256), 500, 'INTERNAL_ERROR')

  await normalizeSuccessfully(other, document)
  await removeWhatExpired()
  expect((await artifact(sha256)).status).toBe(200)
  expect((await artifact(sha256, other)).status).toBe(200)
  expect(await storedRows()).toMatchObject({ artifacts: 1, objects: 3 })
})

test('a larger plan keeps longer what is there, and a smaller one takes nothing away', async () => {
  const document = pdf({ text: 'kept longer' })
  const { sha256: gone } = await normalizeSuccessfully(submitter, pdf({ text: 'gone before' }))
  server.clock.advance(kept)
  const { sha256 } = await normalizeSuccessfully(submitter, document)
  await normalizeSuccessfully(other, document)
  const changePlan = async (tier: PlanTier) => {
    const { id } = submitter.organization
    await server.database.query('update organization set plan_tier = $1 where id = $2', [tier, id])
    await extendRetention(server.platform, id, new AbortController().signal)
  }

  server.clock.advance(kept - day)
  await changePlan('starter')
  await changePlan('free')
  server.clock.advance(plans.starter.retentionDays * day - kept)
  await removeWhatExpired()
  expect((await artifact(sha256)).status).toBe(200)
  expect((await report(sha256)).status).toBe(200)
  await problem(artifact(sha256, other), 404, 'EXPIRED')
  await problem(artifact(gone), 404, 'EXPIRED')
  expect(await storedFiles(server)).toEqual([
    expect.stringContaining('/artifacts/'),
    expect.stringContaining('/originals/'),
  ])

  server.clock.advance(day)
  await removeWhatExpired()
  await problem(artifact(sha256), 404, 'EXPIRED')
  expect(await storedFiles(server)).toEqual([])
})

test('who buys a larger plan has the job behind it queued', async () => {
  await normalizeSuccessfully(submitter, pdf({ text: 'bought' }))
  const order = {
    tier: 'growth',
    interval: 'month',
    successUrl: `${server.url}/done`,
    cancelUrl: `${server.url}/back`,
  }
  const session = await submitter.organization.fetch(
    '/api/billing/checkout-session',
    jsonPost(order),
  )
  const { url } = (await session.json()) as { url: string }
  await fetch(url, { method: 'POST', redirect: 'manual' })

  const jobs = await server.database.query(
    `select data->>'organizationId' as of from pgboss.job where name = 'extend-retention'`,
  )
  expect(jobs).toEqual([{ of: submitter.organization.id }, { of: submitter.organization.id }])
})

test('storing and removing the same content at once never ends with a file that cannot be read', async () => {
  const document = pdf({ text: 'to and fro' })
  const { sha256 } = await normalizeSuccessfully(submitter, document)
  for (let round = 0; round < 6; round += 1) {
    // What is stored is given up while it is stored again by another organization, in whatever order it comes.
    const [of, by] = round % 2 === 0 ? [submitter, other] : [other, submitter]
    await Promise.all([
      release(of).then(removeWhatExpired),
      normalizeSuccessfully(by, document),
      removeWhatExpired(),
    ])
    const response = await artifact(sha256, by)
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
    await removeWhatExpired()
    const artifacts = (await storedFiles(server)).filter((name) => name.includes('artifacts'))
    expect(artifacts).toHaveLength(1)
  }
})
