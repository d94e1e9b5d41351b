import { ErasureResult } from '@pdfnorm/contracts/schema/data-export'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeExpired } from '../src/artifact/remove-expired.ts'
import { buildExport } from '../src/data-protection/build-export.ts'
import { eraseContent } from '../src/data-protection/erase-content.ts'
import {
  completedExport,
  downloadExport,
  exportOf,
  filesOfExport,
  requestExport,
} from './export.ts'
import { holdNormalizer } from './held-normalizer.ts'
import type { TestOrganization } from './organization.ts'
import { pdf } from './pdf.ts'
import { startBeside, startTestServer, type TestServer } from './server.ts'
import { storageThat } from './storage.ts'
import {
  normalized,
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  storedFiles,
  type Submitter,
} from './submitter.ts'

test('an erasure removes originals, outputs and reports at once, and leaves the records with their hashes', async () => {
  await using server = await startTestServer({ work: true })
  const submitter = await registerSubmitter(server)
  const { sha256, response } = await normalizeSuccessfully(submitter, pdf({ text: 'one' }))
  await normalizeSuccessfully(submitter, pdf({ text: 'two' }))
  const { dataExport } = await exportOf(submitter.organization)

  const before = await submitter.get(`/api/submissions/${response.submissionId}`)
  expect(await erase(submitter.organization)).toEqual({
    status: 'scheduled',
    message: expect.any(String),
  })
  await expect.poll(() => storedFiles(server), { interval: 20, timeout: 20_000 }).toEqual([])

  await problem(submitter.get(`/api/artifacts/${sha256}`), 404, 'EXPIRED')
  await problem(submitter.get(`/api/reports/${sha256}`), 404, 'EXPIRED')
  const download = `/api/portal/data-export/${dataExport.exportId}/download`
  await problem(submitter.organization.fetch(download), 404, 'EXPIRED')
  const after = await submitter.get(`/api/submissions/${response.submissionId}`)
  expect(await after.json()).toEqual(await before.json())
  expect((await submitter.get(`/api/attestations/${sha256}`)).status).toBe(200)
  expect(await server.database.query('select from report')).toEqual([])
})

describe('step by step', () => {
  let server: TestServer
  let mine: Submitter
  beforeAll(async () => {
    server = await startTestServer()
  })
  beforeEach(async () => {
    mine = await registerSubmitter(server)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('content that another organization has too stays for it, and the erasing one is not told', async () => {
    const theirs = await registerSubmitter(server)
    const shared = pdf({ text: 'shared' })
    const { sha256 } = await normalizeSuccessfully(mine, shared)
    await normalizeSuccessfully(theirs, shared)

    await erase(mine.organization)
    await runErasure()
    await problem(mine.get(`/api/artifacts/${sha256}`), 404, 'EXPIRED')
    await problem(mine.get(`/api/reports/${sha256}`), 404, 'EXPIRED')
    expect((await theirs.get(`/api/artifacts/${sha256}`)).status).toBe(200)
    expect((await theirs.get(`/api/reports/${sha256}`)).status).toBe(200)
    expect(await originals(mine)).toEqual([])
    expect(await originals(theirs)).toHaveLength(1)

    await erase(theirs.organization)
    await runErasure(theirs)
    expect(await storedFiles(server)).not.toContainEqual(expect.stringContaining(sha256))
  })

  test('what comes after an erasure stays, also the same content again', async () => {
    const again = pdf({ text: 'again' })
    const { sha256 } = await normalizeSuccessfully(mine, again)
    await erase(mine.organization)
    await normalizeSuccessfully(mine, again)
    await runErasure()

    expect((await mine.get(`/api/artifacts/${sha256}`)).status).toBe(200)
    expect((await mine.get(`/api/reports/${sha256}`)).status).toBe(200)
    expect(await originals(mine)).toHaveLength(1)
  })

  test('erased content that is submitted again is there again', async () => {
    const again = pdf({ text: 'back' })
    await normalizeSuccessfully(mine, again)
    await erase(mine.organization)
    await runErasure()
    const { sha256 } = await normalizeSuccessfully(mine, again)
    expect((await mine.get(`/api/artifacts/${sha256}`)).status).toBe(200)
  })

  test('a document in process ends, and is erased then', async () => {
    const held = holdNormalizer()
    await using beside = await startBeside(server, { normalizer: held })
    const running = beside.fetch('/api/normalize', await upload(pdf({ text: 'in process' })))
    await held.arrived(1)
    await erase(mine.organization)
    await runErasure()
    expect(await originals(mine)).toHaveLength(1)
    const { exportId } = await requestExport(mine.organization)
    await runExport(exportId)
    expect(await waitingJobs('build-data-export')).toBe(2)

    held.release()
    const { status, normalized: output } = await normalized(running)
    expect(status).toBe('SUCCESS')
    expect(await waitingJobs('erase-content')).toBe(2)
    await runErasure()
    expect(await originals(mine)).toEqual([])
    await problem(mine.get(`/api/artifacts/${output?.sha256}`), 404, 'EXPIRED')
    expect(await storedFiles(server)).not.toContainEqual(
      expect.stringContaining(output?.sha256 ?? ''),
    )

    await runExport(exportId)
    const files = await filesOfExport(await downloadExport(mine.organization, exportId))
    expect([...files.keys()].filter((name) => name.endsWith('.pdf'))).toEqual([])
  })

  test('an archive that was being built when an erasure came is built anew without what is erased', async () => {
    await normalizeSuccessfully(mine, pdf({ text: 'exported and erased' }))
    const { exportId } = await requestExport(mine.organization)
    let builds = 0
    const { objects } = server.platform
    await runExport(
      exportId,
      storageThat(objects, {
        async putStream(region, key, bytes) {
          await objects.putStream(region, key, bytes)
          builds += 1
          if (builds > 1) return
          await erase(mine.organization)
          await runErasure()
        },
      }),
    )
    expect(builds).toBe(2)
    const completed = await completedExport(mine.organization, exportId)
    expect(completed.exportId).toBe(exportId)
    const files = await filesOfExport(await downloadExport(mine.organization, exportId))
    expect([...files.keys()].filter((name) => name.endsWith('.pdf'))).toEqual([])
    expect((await ownFiles(mine)).filter((file) => file.includes('/exports/'))).toHaveLength(1)
  })

  test('an erasure that was interrupted goes on, and one that ended is not done again', async () => {
    await normalizeSuccessfully(mine, pdf({ text: 'hard to remove' }))
    await erase(mine.organization)
    const broken = storageThat(server.platform.objects, {
      delete: () => Promise.reject(new Error('the storage is away')),
    })
    await eraseContent(
      { ...server.platform, objects: broken },
      { organizationId: mine.organization.id },
      unstopped,
    )
    expect(await originals(mine)).toHaveLength(1)
    await runErasure()
    server.clock.advance(11 * 60 * 1000)
    await removeExpired(server.platform, unstopped.signal)
    expect(await originals(mine)).toEqual([])
  })

  test('asked for twice, also at once, it is one erasure', async () => {
    await normalizeSuccessfully(mine, pdf({ text: 'twice' }))
    await Promise.all([erase(mine.organization), erase(mine.organization)])
    await Promise.all([runErasure(), runErasure()])
    expect(await originals(mine)).toEqual([])
    await erase(mine.organization)
    await runErasure()
    expect((await mine.get('/api/batches')).status).toBe(200)
  })

  test('a deactivated organization still has its documents erased', async () => {
    await normalizeSuccessfully(mine, pdf({ text: 'deactivated' }))
    await mine.organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
    await erase(mine.organization)
    await runErasure()
    expect(await originals(mine)).toEqual([])
  })

  test('the signers of a document are not told in its record any more', async () => {
    const { response } = await normalizeSuccessfully(mine, pdf({ text: 'signed once' }))
    await server.database.query(
      `update submission set security = jsonb_set(security::jsonb, '{signatureVerificationResults}',
         '[{"fieldName": "Signature1", "signerName": "CN=Ada Lovelace"}]') where id = $1`,
      [response.submissionId],
    )
    await erase(mine.organization)
    await runErasure()
    const [record] = await server.database.query<{ security: object }>(
      'select security from submission where id = $1',
      [response.submissionId],
    )
    expect(record?.security).toEqual(response.security)
  })

  async function runErasure(of: Submitter = mine): Promise<void> {
    await eraseContent(server.platform, { organizationId: of.organization.id }, unstopped)
  }

  async function runExport(exportId: string, objects = server.platform.objects): Promise<void> {
    const job = { organizationId: mine.organization.id, exportId }
    await buildExport({ ...server.platform, objects }, job, unstopped)
  }

  async function upload(bytes: Uint8Array<ArrayBuffer>): Promise<RequestInit> {
    const body = new FormData()
    body.append('file', new Blob([bytes]), 'in.pdf')
    return { method: 'POST', headers: { 'X-Api-Key': mine.key }, body }
  }

  async function waitingJobs(queue: string): Promise<number> {
    const waiting = await server.database.query(
      `select from pgboss.job where name = $1 and data ->> 'organizationId' = $2 and state = 'created'`,
      [queue, mine.organization.id],
    )
    return waiting.length
  }

  async function ownFiles({ organization }: Submitter): Promise<string[]> {
    const own = `org_${organization.id.replaceAll('-', '')}/`
    return (await storedFiles(server)).filter((file) => file.includes(own))
  }

  async function originals(of: Submitter): Promise<string[]> {
    return (await ownFiles(of)).filter((file) => file.includes('/originals/'))
  }
})

const unstopped = { signal: new AbortController().signal }

async function erase({ fetch }: TestOrganization): Promise<ErasureResult> {
  const response = await fetch('/api/portal/erasure', { method: 'POST' })
  expect(response.status).toBe(200)
  return ErasureResult.parse(await response.json())
}
