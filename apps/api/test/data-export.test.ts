import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeExpired } from '../src/artifact/remove-expired.ts'
import { buildExport } from '../src/data-protection/build-export.ts'
import { exportedTables } from '../src/data-protection/exported-tables.ts'
import {
  completedExport,
  downloadExport,
  exportOf,
  filesOfExport,
  recordsIn,
  requestExport,
} from './export.ts'
import { jsonPost, type TestOrganization } from './organization.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { signIn } from './sign-in.ts'
import { storageThat } from './storage.ts'
import {
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  sha256Of,
  storedFiles,
  type Submitter,
} from './submitter.ts'

const path = '/api/portal/data-export'
const dayMs = 24 * 60 * 60 * 1000
const running = { signal: new AbortController().signal }

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
beforeEach(async () => {
  submitter = await registerSubmitter(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

test('an export holds every record and file of the organization, each with its hash, and nothing of others', async () => {
  const { organization } = submitter
  const original = pdf({ text: 'mine' })
  const { sha256, response } = await normalizeSuccessfully(submitter, original)
  const stranger = await registerSubmitter(server)
  const theirs = await normalizeSuccessfully(stranger, pdf({ text: 'theirs' }))

  const { files, zip } = await exportOf(organization)

  const { submissionId } = response
  expect([...files.keys()].filter((name) => name.endsWith('.pdf')).toSorted()).toEqual([
    `artifacts/${sha256}.pdf`,
    `originals/${submissionId}.pdf`,
  ])
  expect(files.get(`originals/${submissionId}.pdf`)).toEqual(original)
  expect(sha256Of(files.get(`artifacts/${sha256}.pdf`) ?? original)).toBe(sha256)

  expect(recordsIn(files, 'organization')).toMatchObject([{ slug: organization.slug }])
  expect(recordsIn(files, 'members')).toEqual([
    expect.objectContaining({ id: organization.owner.id, email: organization.owner.email }),
  ])
  const [record] = recordsIn(files, 'submissions')
  expect(record).toMatchObject({ id: submissionId, status: 'SUCCESS', normalized: { sha256 } })
  expect(record?.['createdAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(recordsIn(files, 'reports')).toMatchObject([{ submissionId, outputSha256: sha256 }])
  expect(recordsIn(files, 'attestations-and-certificates')).toHaveLength(1)
  expect(recordsIn(files, 'api-keys')).toHaveLength(1)
  expect(recordsIn(files, 'usage')).toMatchObject([{ documents: 1, success: 1 }])
  expect(recordsIn(files, 'billing')).toEqual([])
  expect(JSON.parse(files.get('manifest.json')?.toString() ?? '')).toMatchObject({ missing: [] })

  const everything = zip.toString('latin1') + [...files.values()].join('\n')
  for (const secret of [stranger.organization.id, theirs.sha256, submitter.key]) {
    expect(everything).not.toContain(secret)
  }
})

test('no export holds a password, a key or a token, nor what stands for one', async () => {
  const { organization } = submitter
  await organization.fetch(
    '/api/portal/webhooks',
    jsonPost({ url: 'https://example.com/hook', events: ['normalization.success'] }),
  )
  const { files } = await exportOf(organization)
  const everything = [...files.values()].join('\n')
  const [stored] = await server.database.query<Record<string, string>>(
    `select (select password_hash from member where organization_id = $1) as password,
            (select key_hash from api_key where organization_id = $1) as key,
            (select token_hash from refresh_token where organization_id = $1) as refresh,
            (select token_hash from one_time_token where organization_id = $1) as once`,
    [organization.id],
  )
  const secrets = Object.values(stored ?? {})
  expect(secrets.filter((secret) => typeof secret === 'string')).toHaveLength(4)
  for (const secret of [...secrets, submitter.key, organization.refreshToken, 'whsec_']) {
    expect(everything).not.toContain(secret)
  }
})

test('an archive is whole for the unzip of the machine, too', async (context) => {
  if (spawnSync('unzip', ['-v']).status !== 0) context.skip('unzip is not installed')
  await normalizeSuccessfully(submitter, pdf({ text: 'for unzip' }))
  const { zip } = await exportOf(submitter.organization)
  const file = join(server.config.dataDirectory, 'export.zip')
  await writeFile(file, zip)
  expect(spawnSync('unzip', ['-tq', file], { encoding: 'utf8' })).toMatchObject({ status: 0 })
})

test('what an export holds is decided for every table and column of organizations', async () => {
  const columns = await server.database.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (c.relname = 'organization' or exists
         (select from pg_attribute where attrelid = c.oid and attname = 'organization_id'))`,
  )
  const found = Map.groupBy(columns, ({ table }) => table)
  expect([...found.keys()].toSorted()).toEqual(Object.keys(exportedTables).toSorted())
  for (const [table, decided] of Object.entries(exportedTables)) {
    if (typeof decided === 'string') continue
    const own = found.get(table)?.map(({ column }) => column) ?? []
    expect([table, ...own.filter((column) => column !== 'organization_id').toSorted()]).toEqual([
      table,
      ...[...decided.columns, ...(decided.withheld ?? [])].toSorted(),
    ])
  }
})

describe('where nobody works off the queue', () => {
  let idle: TestServer
  beforeAll(async () => {
    idle = await startTestServer()
  })
  beforeEach(async () => {
    submitter = await registerSubmitter(idle)
  })
  afterAll(() => idle[Symbol.asyncDispose]())

  test('one export is pending at a time, however many ask at once; the next one is another', async () => {
    const { organization } = submitter
    const [first, ...others] = await Promise.all(
      Array.from({ length: 8 }, () => requestExport(organization)),
    )
    const exportId = first?.exportId ?? ''
    expect(new Set(others.map((one) => one.exportId))).toEqual(new Set([exportId]))
    expect(first).toEqual({ exportId, status: 'pending', requestedAt: expect.any(String) })
    expect(await jobs('build-data-export')).toHaveLength(1)

    await build(exportId)
    const completed = await completedExport(organization, exportId)
    expect(Date.parse(completed.completedAt ?? '')).toBeGreaterThan(
      Date.parse(completed.requestedAt),
    )
    expect((await requestExport(organization)).exportId).not.toBe(exportId)
  })

  test("an export cannot be downloaded before it is completed, and is nobody else's", async () => {
    const { organization } = submitter
    const stranger = await registerSubmitter(idle)
    const { exportId } = await requestExport(organization)
    const codes = await Promise.all([
      ...[exportId, uuidv7(), 'first'].map((id) => codeOf(organization, `${id}/status`)),
      ...[exportId, uuidv7(), 'first'].map((id) => codeOf(organization, `${id}/download`)),
      codeOf(stranger.organization, `${exportId}/status`),
      codeOf(stranger.organization, `${exportId}/download`),
    ])
    expect(codes).toEqual([
      '200',
      'NOT_FOUND',
      'NOT_FOUND',
      'EXPORT_NOT_READY',
      'NOT_FOUND',
      'NOT_FOUND',
      'NOT_FOUND',
      'NOT_FOUND',
    ])
  })

  test('an archive is gone after seven days, and the address of its download after a quarter of an hour', async () => {
    const { organization } = submitter
    const { exportId } = await requestExport(organization)
    await build(exportId)
    const download = () =>
      organization.fetch(`${path}/${exportId}/download`, { redirect: 'manual' })
    const redirection = await download()
    expect(redirection.headers.get('cache-control')).toBe('no-store')
    const address = redirection.headers.get('location') ?? ''
    expect((await fetch(address)).status).toBe(200)
    idle.clock.advance(limits.exportDownloadSeconds * 1000 + 1000)
    expect((await fetch(address)).status).toBe(404)

    idle.clock.advance(limits.exportRetentionDays * dayMs)
    // The sign-in of the owner has expired by now, too.
    const owner = await signIn(idle, organization.owner)
    await problem(owner.fetch(`${path}/${exportId}/download`), 404, 'EXPIRED')
    await removeExpired(idle.platform, running.signal)
    expect(await archives()).toEqual([])
  })

  test('a storage that fails in the middle leaves no part of an archive, and the job makes it whole later', async () => {
    const { organization } = submitter
    await normalizeSuccessfully(submitter, pdf({ text: 'kept', paddingBytes: 300_000 }))
    const { exportId } = await requestExport(organization)
    const { objects } = idle.platform

    const full = storageThat(objects, {
      putStream: async (_region, _key, bytes) => {
        for await (const _ of bytes) throw new Error('no space left')
      },
    })
    await expect(build(exportId, full)).rejects.toThrow('no space left')
    const unreadable = storageThat(objects, {
      openStream: () =>
        Promise.resolve(
          Readable.from(
            (function* () {
              yield Buffer.from('%PDF')
              throw new Error('the disk is broken')
            })(),
          ),
        ),
    })
    await expect(build(exportId, unreadable)).rejects.toThrow('the disk is broken')
    const away = storageThat(objects, {
      openStream: () => Promise.reject(new Error('the storage is away')),
    })
    await expect(build(exportId, away)).rejects.toThrow('the storage is away')
    await problem(organization.fetch(`${path}/${exportId}/download`), 400, 'EXPORT_NOT_READY')
    expect(await archives()).toEqual([])

    await build(exportId)
    const files = await filesOfExport(await downloadExport(organization, exportId))
    expect([...files.keys()].filter((name) => name.endsWith('.pdf'))).toHaveLength(2)
    expect(await archives()).toHaveLength(1)
  })

  test('a process that stops breaks its build off, and one that died leaves nothing for good', async () => {
    const { organization } = submitter
    const { exportId } = await requestExport(organization)
    const stopping = new AbortController()
    const slow = storageThat(idle.platform.objects, {
      putStream: (region, key, bytes) => {
        stopping.abort()
        return idle.platform.objects.putStream(region, key, bytes)
      },
    })
    await expect(build(exportId, slow, stopping.signal)).rejects.toBeInstanceOf(Error)
    expect(await archives()).toEqual([])

    // As if the process had died between the last byte and the commit: the archive is there, and nobody knows of it.
    await expect(
      build(
        exportId,
        storageThat(idle.platform.objects, {
          putStream: async (region, key, bytes) => {
            await idle.platform.objects.putStream(region, key, bytes)
            throw new Error('killed')
          },
          delete: () => Promise.reject(new Error('killed')),
        }),
      ),
    ).rejects.toThrow('killed')
    expect(await archives()).toHaveLength(1)
    await build(exportId)
    idle.clock.advance(dayMs + 1000)
    await removeExpired(idle.platform, running.signal)
    const { archive_key: key } = (
      await idle.database.query<{ archive_key: string }>(
        'select archive_key from data_export where id = $1',
        [exportId],
      )
    )[0] ?? { archive_key: '' }
    expect(await archives()).toEqual([expect.stringMatching(new RegExp(`${key}$`))])
  })

  test('two workers that build the same export complete it once', async () => {
    const { organization } = submitter
    const { exportId } = await requestExport(organization)
    await Promise.all([build(exportId), build(exportId)])
    expect(await archives()).toHaveLength(1)
    await filesOfExport(await downloadExport(organization, exportId))
  })

  test('a file that the storage has lost is named in the manifest, and everything else is there', async () => {
    const { organization } = submitter
    const { response, sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'lost' }))
    const { exportId } = await requestExport(organization)
    await build(
      exportId,
      storageThat(idle.platform.objects, {
        openStream: (region, key, range) =>
          key.includes('/originals/')
            ? Promise.resolve(null)
            : idle.platform.objects.openStream(region, key, range),
      }),
    )
    const files = await filesOfExport(await downloadExport(organization, exportId))
    expect(JSON.parse(files.get('manifest.json')?.toString() ?? '')).toMatchObject({
      missing: [`originals/${response.submissionId}.pdf`],
    })
    expect(files.has(`artifacts/${sha256}.pdf`)).toBe(true)
  })

  test('a deactivated organization still gets its data', async () => {
    const { organization } = submitter
    await normalizeSuccessfully(submitter, pdf({ text: 'still mine' }))
    await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
    const { exportId } = await requestExport(organization)
    await build(exportId)
    const files = await filesOfExport(await downloadExport(organization, exportId))
    expect(recordsIn(files, 'organization')).toMatchObject([{ isActive: false }])
    expect(recordsIn(files, 'submissions')).toHaveLength(1)
  })

  async function build(
    exportId: string,
    objects = idle.platform.objects,
    signal = running.signal,
  ): Promise<void> {
    const job = { organizationId: submitter.organization.id, exportId }
    await buildExport({ ...idle.platform, objects }, job, { signal })
  }

  async function jobs(queue: string): Promise<object[]> {
    return idle.database.query(
      `select id from pgboss.job where name = $1 and data ->> 'organizationId' = $2`,
      [queue, submitter.organization.id],
    )
  }

  /** Files under the organization's exports, also unfinished ones. */
  async function archives(): Promise<string[]> {
    const own = submitter.organization.id.replaceAll('-', '')
    const files = await storedFiles(idle)
    return files.filter(
      (file) => file.includes(`org_${own}/exports`) || file.startsWith('.incoming'),
    )
  }
})

/** Why a request about exports is refused, or else its status. */
async function codeOf({ fetch }: TestOrganization, of: string): Promise<string> {
  const response = await fetch(`${path}/${of}`, { redirect: 'manual' })
  return response.ok ? String(response.status) : Problem.parse(await response.json()).code
}
