import { expect, test } from 'vitest'
import { ApiKeySecret, CreateApiKeyRequest } from '../src/schema/api-key.ts'
import { AccountDeletion } from '../src/schema/account-deletion.ts'
import { Batch } from '../src/schema/batch.ts'
import { IsoDateTime, outputHash, Sha256Param } from '../src/schema/identifier.ts'
import { limits } from '../src/schema/limit.ts'
import { isAtLeast, leastRole, type memberRoles } from '../src/schema/member.ts'
import { NormalizeRequest } from '../src/schema/normalize-request.ts'
import { NormalizeResponse, pendingResponse } from '../src/schema/normalize-response.ts'
import { normalizedExample } from '../src/schema/normalize-response-examples.ts'
import {
  ChangeOrganizationSettingsRequest,
  reservedSlugs,
  Slug,
} from '../src/schema/organization.ts'
import { PageQuery } from '../src/schema/page.ts'
import { pipelineStages } from '../src/schema/pipeline-stage.ts'
import { plans } from '../src/schema/plan.ts'
import { rateLimits } from '../src/schema/rate-limit.ts'
import { Report } from '../src/schema/report.ts'
import { RegisterRequest } from '../src/schema/session.ts'
import { isTerminal, Submission, SubmissionStatus } from '../src/schema/submission.ts'
import { CreateWebhookRequest } from '../src/schema/webhook-endpoint.ts'
import { SubmissionEvent, WebhookEvent } from '../src/schema/webhook-event.ts'

const uuid = '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const time = '2026-11-01T09:30:00.000Z'

test("a pending submission has the interface's shape", () => {
  const pending = pendingResponse({
    apiVersion: '2026-11-01',
    requestId: 'req-1',
    submissionId: uuid,
    status: 'PENDING',
    original: { sha256, sizeBytes: 12 },
  })
  expect(pending).toEqual({
    apiVersion: '2026-11-01',
    requestId: 'req-1',
    submissionId: uuid,
    processingTimeMs: 0,
    status: 'PENDING',
    original: { sha256, sizeBytes: 12 },
    normalized: null,
    security: {},
    validation: {},
    tamperAnalysis: null,
    warnings: [],
    failure: null,
  })
  expect(NormalizeResponse.parse(pending)).toEqual(pending)
})

test('findings are complete or empty, never in part', () => {
  const { signatureCount: _, ...security } = normalizedExample.security as Record<string, unknown>
  expect(NormalizeResponse.safeParse(normalizedExample).success).toBe(true)
  expect(NormalizeResponse.safeParse({ ...normalizedExample, security }).success).toBe(false)
})

test('a submission record has all keys always, and a failure only if it failed', () => {
  const pending = {
    apiVersion: '2026-11-01',
    submissionId: uuid,
    status: 'PENDING',
    createdAt: time,
    completedAt: null,
    processingTimeMs: 0,
    outputHash: null,
    outputSizeBytes: null,
    downloadUrl: null,
    warnings: [],
  }
  expect(Submission.parse(pending)).toEqual(pending)
  const failure = { code: 'MALFORMED_PDF', message: 'No pages.', stage: 'StructuralRepair' }
  expect(Submission.parse({ ...pending, status: 'FAILED', failure })).toHaveProperty('failure')
  for (const key of Object.keys(pending)) {
    const { [key]: _, ...rest } = { ...pending } as Record<string, unknown>
    expect(Submission.safeParse(rest).success).toBe(false)
  }
})

test('the status spelling of the interface holds, not that of its sample', () => {
  expect(SubmissionStatus.safeParse('completed').success).toBe(false)
  expect(SubmissionStatus.options.filter(isTerminal)).toEqual(['SUCCESS', 'FAILED', 'REJECTED'])
})

test('a report has ten stages', () => {
  const stages = pipelineStages.map((name, stage) => ({
    stage,
    name,
    durationMs: 0,
    result: 'skipped',
  }))
  const report = {
    apiVersion: '2026-11-01',
    outputHash: outputHash(sha256),
    submissionId: uuid,
    createdAt: time,
    processingTimeMs: 1,
    stages,
    warnings: [],
    tamperAnalysis: { detected: false, findings: [] },
    pdfaValidator: { validated: false, errors: [] },
  }
  expect(Report.parse(report)).toEqual(report)
  expect(Report.safeParse({ ...report, stages: stages.slice(1) }).success).toBe(false)
})

test('the form of an upload has the defaults of the interface', () => {
  expect(NormalizeRequest.parse({})).toEqual({
    linearize: true,
    remove_annotations: false,
    signed_pdf_policy: 'reject',
    pdfa_policy: 'preserve',
  })
})

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])('the text %s in a form is %s', (text, value) => {
  expect(NormalizeRequest.parse({ linearize: text }).linearize).toBe(value)
})

test.each(['yes', 'on', '', '2'])('the text "%s" in a form is no boolean', (text) => {
  expect(NormalizeRequest.safeParse({ linearize: text }).success).toBe(false)
})

test('an idempotency key has 1 to 255 characters', () => {
  const accepts = (idempotency_key: string) =>
    NormalizeRequest.safeParse({ idempotency_key }).success
  expect([accepts(''), accepts('k'.repeat(255)), accepts('k'.repeat(256))]).toEqual([
    false,
    true,
    false,
  ])
})

test('unknown fields are ignored', () => {
  expect(NormalizeRequest.parse({ colour: 'red' })).not.toHaveProperty('colour')
})

test('pages start at 1, hold 20 entries unless told, and at most 100', () => {
  expect(PageQuery.parse({})).toEqual({ page: 1, page_size: 20 })
  expect(PageQuery.parse({ page: '3', page_size: '100' })).toEqual({ page: 3, page_size: 100 })
  for (const query of [{ page: '0' }, { page_size: '101' }, { page_size: '1.5' }, { page: 'x' }]) {
    expect(PageQuery.safeParse(query).success).toBe(false)
  }
})

test('a hash in a path may be upper case and becomes lower case', () => {
  expect(Sha256Param.parse(sha256.toUpperCase())).toBe(sha256)
  for (const hash of [`sha256:${sha256}`, sha256.slice(1), `${sha256}0`, `${sha256.slice(1)}g`]) {
    expect(Sha256Param.safeParse(hash).success).toBe(false)
  }
})

test('times are in UTC with milliseconds', () => {
  expect(IsoDateTime.safeParse(new Date(0).toISOString()).success).toBe(true)
  expect(IsoDateTime.safeParse('2026-11-01T09:30:00Z').success).toBe(false)
  expect(IsoDateTime.safeParse('2026-11-01T09:30:00.000+01:00').success).toBe(false)
})

test('a client may give an expiry with any offset', () => {
  const request = { name: 'k', scopes: ['read'] }
  for (const expiresAt of [null, '2027-01-01T00:00:00Z', '2027-01-01T00:00:00.5+01:00']) {
    expect(CreateApiKeyRequest.safeParse({ ...request, expiresAt }).success).toBe(true)
  }
  expect(CreateApiKeyRequest.safeParse({ ...request, scopes: [] }).success).toBe(false)
  expect(CreateApiKeyRequest.safeParse({ ...request, scopes: ['write'] }).success).toBe(false)
})

test('a key is its prefix, an underscore and 36 characters', () => {
  expect(ApiKeySecret.safeParse(`pdfnorm_${'a'.repeat(36)}`).success).toBe(true)
  expect(ApiKeySecret.safeParse(`pdfnorm_${'a'.repeat(35)}`).success).toBe(false)
})

test.each(['acme', 'a1-b2', 'a'.repeat(50)])('%s is a slug', (slug) => {
  expect(Slug.safeParse(slug).success).toBe(true)
})

test.each(['ab', 'Acme', '-acme', 'acme-', 'a_b_c', 'a'.repeat(51)])('%s is no slug', (slug) => {
  expect(Slug.safeParse(slug).success).toBe(false)
})

test('what is reserved is a slug', () => {
  expect(reservedSlugs.every((slug) => Slug.safeParse(slug).success)).toBe(true)
})

test('a password has 8 to 1,024 characters', () => {
  const accepts = (ownerPassword: string) =>
    RegisterRequest.safeParse({
      orgName: 'Acme',
      orgSlug: 'acme',
      ownerEmail: 'ada@example.com',
      ownerPassword,
    }).success
  expect([7, 8, 1024, 1025].map((length) => accepts('x'.repeat(length)))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('settings that are left out stay, and null is a value', () => {
  expect(ChangeOrganizationSettingsRequest.parse({})).toEqual({})
  expect(ChangeOrganizationSettingsRequest.parse({ default_region: null })).toEqual({
    default_region: null,
  })
  expect(ChangeOrganizationSettingsRequest.safeParse({ allowed_regions: [] }).success).toBe(false)
})

test('a webhook listens to events of the interface, and is active unless told', () => {
  const request = { url: 'https://example.com/hook', events: ['normalization.success'] }
  expect(CreateWebhookRequest.parse(request)).toEqual({ ...request, active: true })
  for (const faulty of [
    { ...request, url: 'ftp://example.com/hook' },
    { ...request, url: 'example.com' },
    { ...request, events: ['batch.complete'] },
    { ...request, events: [] },
  ]) {
    expect(CreateWebhookRequest.safeParse(faulty).success).toBe(false)
  }
})

test('an event says by its name what its data is', () => {
  const envelope = { webhookId: uuid, timestamp: time, apiVersion: '2026-11-01' }
  const batch = {
    batchId: uuid,
    name: 'b',
    status: 'complete',
    total: 1,
    completed: 1,
    failed: 0,
    rejected: 0,
    createdAt: time,
  }
  expect(Batch.parse(batch)).toEqual(batch)
  const complete = { event: 'batch.complete', ...envelope, data: batch }
  expect(WebhookEvent.parse(complete)).toEqual(complete)
  expect(WebhookEvent.safeParse({ ...complete, event: 'normalization.success' }).success).toBe(
    false,
  )
  expect(SubmissionEvent.safeParse(complete).success).toBe(false)
})

test('a deletion says until when it can be cancelled', () => {
  const deletion = {
    status: 'pending',
    requestedAt: time,
    cancellableUntil: '2026-11-04T09:30:00.000Z',
    message: 'Scheduled.',
  }
  expect(AccountDeletion.parse(deletion)).toEqual(deletion)
})

// The interface, section 8, copied on purpose.
test('the plans are those of the interface', () => {
  const MB = 1024 * 1024
  const rows = Object.entries(plans).map(([tier, plan]) => [
    tier,
    plan.monthlyDocuments,
    plan.maxFileBytes,
    plan.concurrentJobs,
    plan.pricePerMonthUsd,
    plan.overagePerDocumentUsd,
  ])
  expect(rows).toEqual([
    ['free', 100, 5 * MB, 1, 0, null],
    ['starter', 10_000, 25 * MB, 5, 99, 0.01],
    ['growth', 50_000, 50 * MB, 10, 249, 0.005],
    ['pro', 200_000, 100 * MB, 20, 499, 0.003],
  ])
})

test('the limits are those of the interface', () => {
  expect(limits).toMatchObject({
    accessTokenSeconds: 900,
    refreshTokenSeconds: 2_592_000,
    passwordMinCharacters: 8,
    idempotencyKeyMaxCharacters: 255,
    idempotencySeconds: 86_400,
    webhooksPerOrganization: 10,
    webhookRetries: 5,
    inviteSeconds: 172_800,
    deletionCoolingOffSeconds: 259_200,
    pageSizeMax: 100,
    pageSizeDefault: 20,
  })
  expect(rateLimits).toMatchObject({
    register: { requests: 3, windowSeconds: 3_600 },
    login: { requests: 5, windowSeconds: 900 },
    forgotPassword: { requests: 3, windowSeconds: 3_600 },
  })
})

test('a role may do what the ones below it may', () => {
  const allowed = (role: (typeof memberRoles)[number]) =>
    Object.entries(leastRole).filter(([, least]) => isAtLeast(role, least)).length
  expect(allowed('owner')).toBe(Object.keys(leastRole).length)
  expect(allowed('admin')).toBeLessThan(allowed('owner'))
  expect(allowed('member')).toBeLessThan(allowed('admin'))
  expect(isAtLeast('admin', leastRole.deactivateOrganization)).toBe(false)
})
