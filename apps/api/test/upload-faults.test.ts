import { once } from 'node:events'
import { connect } from 'node:net'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { defaultOptions } from '@pdfnorm/normalizer/options'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { acceptSubmission } from '../src/submission/accept-submission.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { formOf, problem, registerSubmitter, type Submitter, whatIsStored } from './submitter.ts'

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer({ environment: { UPLOAD_MAX_BYTES: '256KiB' } })
  submitter = await registerSubmitter(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const good = pdf({ text: 'good' })
const uploadMaxBytes = 256 * 1024

function post(body: FormData | string, headers: Record<string, string> = {}): Promise<Response> {
  return server.fetch('/api/normalize', {
    method: 'POST',
    headers: { 'X-Api-Key': submitter.key, ...headers },
    body,
  })
}

function formWithout(): FormData {
  const form = new FormData()
  form.append('linearize', 'true')
  return form
}

function formWithTwo(): FormData {
  const form = formOf(good)
  form.append('file', new Blob([good]), 'second.pdf')
  return form
}

describe('an upload that is refused leaves nothing in the database or the storage:', () => {
  const invalidFiles: [string, () => FormData][] = [
    ['no file', formWithout],
    ['two files', formWithTwo],
    ['an empty file', () => formOf(Buffer.alloc(0))],
    ['a file that is not a PDF', () => formOf(Buffer.from('PK\u0003\u0004 a ZIP archive'))],
    [
      'a header after the first 1,024 bytes',
      () => formOf(Buffer.concat([Buffer.alloc(1024, ' '), good])),
    ],
  ]
  test.each(invalidFiles)('%s', async (_case, form) => {
    const stored = await whatIsStored(server)

    await problem(post(form()), 400, 'INVALID_FILE')
    expect(await whatIsStored(server)).toEqual(stored)
  })

  const invalidFields: [string, Record<string, string>, string][] = [
    ['a boolean that is none', { linearize: 'perhaps' }, 'body.linearize'],
    ['a policy that does not exist', { signed_pdf_policy: 'ignore' }, 'body.signed_pdf_policy'],
    ['a PDF/A policy that does not exist', { pdfa_policy: 'drop' }, 'body.pdfa_policy'],
    ['a webhook that is no URL', { webhook_url: 'nowhere' }, 'body.webhook_url'],
    ['a webhook over another protocol', { webhook_url: 'ftp://example.com' }, 'body.webhook_url'],
    ['a batch that is no id', { batch_id: '17' }, 'body.batch_id'],
  ]
  test.each(invalidFields)('%s', async (_case, fields, location) => {
    const stored = await whatIsStored(server)

    const refusal = await problem(submitter.submit(good, fields), 400, 'VALIDATION_ERROR')
    expect(refusal.errors?.map((fault) => fault.location)).toEqual([location])
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('a region that does not exist', async () => {
    const stored = await whatIsStored(server)

    await problem(submitter.submit(good, { region: 'mars-north-1' }), 400, 'INVALID_REGION')
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('a batch that does not exist', async () => {
    const stored = await whatIsStored(server)

    const batch_id = '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'
    await problem(submitter.submit(good, { batch_id }), 400, 'INVALID_BATCH')
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('a file that is not a PDF, in a form with other faults', async () => {
    const stored = await whatIsStored(server)

    const form = formOf(Buffer.from('not a PDF'), { linearize: 'perhaps', region: 'mars' })
    const refusal = await problem(post(form), 400, 'VALIDATION_ERROR')
    expect(refusal.errors?.map(({ location, code }) => [location, code])).toEqual([
      ['body.file', 'INVALID_FILE'],
      ['body.linearize', expect.any(String)],
      ['body.region', 'INVALID_REGION'],
    ])
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('several faults at once, all of them named', async () => {
    const stored = await whatIsStored(server)
    const fields = { region: 'mars', linearize: 'perhaps', batch_id: '17' }

    const refusal = await problem(submitter.submit(good, fields), 400, 'VALIDATION_ERROR')
    expect(refusal.errors?.map((fault) => fault.location).toSorted()).toEqual([
      'body.batch_id',
      'body.linearize',
      'body.region',
    ])
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('more bytes than the service takes', async () => {
    const stored = await whatIsStored(server)
    const body = formOf(pdf({ text: 'x', paddingBytes: uploadMaxBytes }))

    await problem(post(body), 413, 'FILE_TOO_LARGE')
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('a body that is not a form', async () => {
    const stored = await whatIsStored(server)

    const json = { 'Content-Type': 'application/json' }
    await problem(post('{}', json), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const unbounded = { 'Content-Type': 'multipart/form-data' }
    await problem(post('--b', unbounded), 400, 'VALIDATION_ERROR')
    const brokenOff = { 'Content-Type': 'multipart/form-data; boundary=b' }
    await problem(post('--b\r\nContent-Disposition: form-data', brokenOff), 400, 'VALIDATION_ERROR')
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('a disk that is full', async () => {
    const stored = await whatIsStored(server)
    const { objects } = server.platform
    const staged = await objects.stage()
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    vi.spyOn(staged, 'write').mockRejectedValue(full)
    vi.spyOn(objects, 'stage').mockResolvedValueOnce(staged)

    const answer = await submitter.submit(pdf({ text: 'x', paddingBytes: 200 * 1024 }))
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await problem(answer, 503, 'UNAVAILABLE')
    expect(await whatIsStored(server)).toEqual(stored)
  })

  test('a client that hangs up in the middle', async () => {
    const stored = await whatIsStored(server)
    const socket = await beginUpload(submitter.key)
    const partHeader = 'Content-Disposition: form-data; name="file"; filename="a.pdf"'
    socket.write(`--b\r\n${partHeader}\r\n\r\n%PDF-1.7 and then`)
    socket.destroy()

    await expect.poll(() => whatIsStored(server), { interval: 25 }).toEqual(stored)
  })
})

test('in production a webhook takes HTTPS only', async () => {
  const { platform } = server
  const production = {
    ...platform,
    config: { ...platform.config, environment: 'production' },
  } as const
  const { organization } = submitter
  const [row] = await server.database.query<{ schema_name: string; created_at: Date }>(
    'select schema_name, created_at from organization where id = $1',
    [organization.id],
  )
  const caller = {
    kind: 'api-key',
    apiKeyId: organization.id,
    scopes: ['normalize'],
    organization: {
      id: organization.id,
      schemaName: row?.schema_name ?? '',
      planTier: 'free',
      quotaCountsFrom: null,
      isActive: true,
      createdAt: row?.created_at ?? new Date(),
      defaultRegion: null,
      allowedRegions: ['us-east-2'],
    },
  } as const
  const accept = (webhookUrl: string) =>
    acceptSubmission(production, caller, {
      apiVersion: '2026-11-01',
      original: { sha256: '0'.repeat(64), sizeBytes: 10, staged: null },
      options: defaultOptions,
      region: null,
      webhookUrl,
      idempotencyKey: null,
      batchId: null,
      preference: { respondAsync: true, waitMs: null },
    })

  const refused = await accept('http://example.com/hook')
  expect(refused instanceof Refusal && refused.code).toBe('WEBHOOK_URL_FORBIDDEN')
  expect(await accept('https://example.com/hook')).not.toBeInstanceOf(Refusal)
})

async function beginUpload(key: string) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    [
      'POST /api/normalize HTTP/1.1',
      'Host: pdfnorm',
      `X-Api-Key: ${key}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 100000',
      '',
      '',
    ].join('\r\n'),
  )
  return socket
}

test('who may not normalize is told so before any byte of the body is sent', async () => {
  const { fullKey: readOnly } = await submitter.organization.createKey(['read'])
  for (const [key, status] of [
    ['pdfnorm_unknown', 401],
    [readOnly, 403],
  ] as const) {
    const socket = await beginUpload(key)
    const [answer]: unknown[] = await once(socket, 'data')
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    socket.destroy()
  }
})

test('a deactivated organization normalizes nothing', async () => {
  const other = await registerSubmitter(server)
  await server.database.query('update organization set is_active = false where id = $1', [
    other.organization.id,
  ])
  const stored = await whatIsStored(server)

  await problem(other.submit(good), 401, 'INVALID_API_KEY')
  expect(await whatIsStored(server)).toEqual(stored)
})
