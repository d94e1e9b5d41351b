import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { Problem, type ProblemCode } from '@pdfnorm/contracts/schema/problem'
import { Submission } from '@pdfnorm/contracts/schema/submission'
import { expect } from 'vitest'
import { registerTestOrganization, type TestOrganization } from './organization.ts'
import type { TestServer } from './server.ts'

/** A program of an organization that sends documents over HTTP. */
export interface Submitter {
  organization: TestOrganization
  /** The secret of its API key. */
  key: string
  submit(
    bytes: Uint8Array<ArrayBuffer>,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Response>
}

export async function registerSubmitter(server: Pick<TestServer, 'fetch'>): Promise<Submitter> {
  const organization = await registerTestOrganization(server)
  const { fullKey: key } = await organization.createKey()
  return {
    organization,
    key,
    submit: (bytes, fields = {}, headers = {}) =>
      server.fetch('/api/normalize', {
        method: 'POST',
        headers: { 'X-Api-Key': key, ...headers },
        body: formOf(bytes, fields),
      }),
    get: (path, headers = {}, method = 'GET') =>
      server.fetch(path, { method, headers: { 'X-Api-Key': key, ...headers } }),
  }
}

export function formOf(
  bytes: Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'in.pdf')
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** The body of an answer that has to be a NormalizeResponse with this status. */
export async function normalized(
  response: Response | Promise<Response>,
  httpStatus = 200,
): Promise<NormalizeResponse> {
  const answer = await response
  const body: unknown = await answer.json()
  expect([answer.status, body]).toMatchObject([httpStatus, {}])
  return NormalizeResponse.parse(body)
}

/** Submits and gives back what a success has. */
export async function normalizeSuccessfully(
  submitter: Submitter,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ response: NormalizeResponse; sha256: string }> {
  const response = await normalized(submitter.submit(bytes))
  expect(response.failure).toBeNull()
  if (response.normalized === null) throw new Error('There is no normalized file')
  return { response, sha256: response.normalized.sha256 }
}

/** Asks as a client does, until the submission has ended. */
export async function ended(
  submitter: Pick<Submitter, 'get'>,
  submissionId: string,
): Promise<Submission> {
  let record: Submission | null = null
  await expect
    .poll(
      async () => {
        const response = await submitter.get(`/api/submissions/${submissionId}`)
        record = Submission.parse(await response.json())
        return record.status
      },
      { interval: 25, timeout: 25_000 },
    )
    .toMatch(/^(SUCCESS|FAILED|REJECTED)$/)
  if (record === null) throw new Error('There is no record')
  return record
}

/** The body of a refusal, which has to have this status and code. */
export async function problem(
  response: Response | Promise<Response>,
  status: number,
  code: ProblemCode,
): Promise<Problem> {
  const answer = await response
  const body: unknown = await answer.json()
  expect([answer.status, body]).toMatchObject([status, { code }])
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  return Problem.parse(body)
}

/** All that a submission can leave: rows by table, objects by region, files on their way. */
export async function whatIsStored(server: TestServer): Promise<Record<string, unknown>> {
  const [counts] = await server.database.query(`
    select (select count(*)::int from submission) as submissions,
           (select count(*)::int from idempotency_key) as keys,
           (select coalesce(sum(documents), 0)::int from document_usage) as documents,
           (select count(*)::int from artifact) as artifacts,
           (select count(*)::int from artifact_reference) as references,
           (select count(*)::int from report) as reports,
           (select count(*)::int from attestation) as attestations,
           (select count(*)::int from pgboss.job where name = 'normalize-submission') as jobs`)
  return { ...counts, files: await storedFiles(server) }
}

/** Every file below the storage's root, staging area included. */
export async function storedFiles(server: TestServer): Promise<string[]> {
  const root = join(server.config.dataDirectory, 'objects')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
