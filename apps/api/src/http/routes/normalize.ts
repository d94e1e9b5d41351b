import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import { NormalizeRequest } from '@pdfnorm/contracts/schema/normalize-request'
import { type Plan, plans } from '@pdfnorm/contracts/schema/plan'
import { type FieldFault, Refusal } from '@pdfnorm/contracts/schema/problem'
import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import type { NextFunction, Request, Response } from 'express'
import type { Platform } from '../../platform.ts'
import type { AcceptRequest, WaitPreference } from '../../submission/accept-request.ts'
import { acceptSubmission } from '../../submission/accept-submission.ts'
import { normalizeResponse } from '../../submission/normalize-response.ts'
import { routes } from '../mount.ts'
import { readUpload } from '../multipart-upload.ts'
import { readWaitPreference } from '../prefer-header.ts'
import type { Upload } from '../received-upload.ts'
import { refuse } from '../problem-response.ts'
import { callerOf, contextOf } from '../request-context.ts'
import { faultsOf, refusalOfFaults } from '../../validation-refusal.ts'

/** Seconds after which asking for the result is worth it. */
const retryAfterSeconds = 1

export const normalizeRoutes = routes(normalize, (platform) => ({
  normalizePdf: {
    middleware: [leaveFormToHandler],
    handler: ({ req, res }) => takeUpload(platform, { req, res }),
  },
}))

/** Reads the upload, takes it in, and answers with what became of it, or that it waits. */
export async function takeUpload(
  platform: Platform,
  { req, res }: { req: Request; res: Response },
) {
  const caller = callerOf(req)
  const { maxFileBytes }: Plan = plans[caller.organization.planTier]
  const upload = await readUpload(req, platform.objects, {
    uploadMaxBytes: platform.config.uploadMaxBytes,
    keepMaxBytes: maxFileBytes,
  })
  if (upload instanceof Refusal) return refuse(platform.config, { req, res }, upload)

  const preference = readWaitPreference(req.get('prefer'))
  try {
    const request = acceptRequest(req, upload, req.get('idempotency-key'), preference)
    if (request instanceof Refusal) return refuse(platform.config, { req, res }, request)

    const accepted = await acceptSubmission(platform, caller, request)
    if (accepted instanceof Refusal) return refuse(platform.config, { req, res }, accepted)

    if (accepted.replayed) res.setHeader('Idempotent-Replayed', 'true')
    return answer(platform, { req, res }, accepted.submission, preference)
  } finally {
    await upload.file?.staged?.discard()
  }
}

type AcceptedSubmission = Parameters<typeof normalizeResponse>[0]

/** The contract's body is the form's text fields, which are known only when the upload has been read. */
export function leaveFormToHandler(req: Request, _res: Response, next: NextFunction): void {
  req.body = {}
  next()
}

function acceptRequest(
  req: Request,
  upload: Upload,
  keyInHeader: string | undefined,
  preference: WaitPreference,
): AcceptRequest | FormRefusal {
  const fields = Object.fromEntries(upload.fields)
  const form = NormalizeRequest.safeParse(fields)
  const faults = [
    ...upload.faults,
    ...faultsOf(normalize.normalizePdf, 'body', form.error, fields),
    ...faultsOfKeys(upload.fields.get('idempotency_key'), keyInHeader),
  ]
  if (faults.length > 0 || !form.success || upload.file === null) return formRefusal(faults)

  const { data } = form
  return {
    apiVersion: contextOf(req).apiVersion,
    original: upload.file,
    options: {
      linearize: data.linearize,
      removeAnnotations: data.remove_annotations,
      signedPdfPolicy: data.signed_pdf_policy,
      pdfaPolicy: data.pdfa_policy,
    },
    region: data.region ?? null,
    webhookUrl: data.webhook_url ?? null,
    idempotencyKey: data.idempotency_key ?? keyInHeader ?? null,
    batchId: data.batch_id ?? null,
    preference,
  }
}

/** Decision 2.9: the header is an alias of the field; both and different is a fault. */
function faultsOfKeys(inForm: string | undefined, inHeader: string | undefined): FieldFault[] {
  if (inForm === undefined || inHeader === undefined || inForm === inHeader) return []
  const message = 'differs from the field idempotency_key'
  return [{ location: 'header.idempotency-key', code: 'conflict', message }]
}

type FormRefusal = Refusal<'VALIDATION_ERROR' | 'INVALID_FILE' | 'INVALID_REGION'>

function formRefusal(faults: readonly FieldFault[]): FormRefusal {
  const { code, detail, errors } = refusalOfFaults(faults)
  const own = code === 'INVALID_FILE' || code === 'INVALID_REGION' ? code : 'VALIDATION_ERROR'
  return new Refusal(own, detail, { errors })
}

function answer(
  { config }: Pick<Platform, 'config'>,
  { req, res }: { req: Request; res: Response },
  submission: AcceptedSubmission,
  preference: WaitPreference,
) {
  const applied = appliedPreference(submission, preference, config.syncDeadlineMs)
  if (applied !== null) res.setHeader('Preference-Applied', applied)
  const { baseUrl } = config
  const body = normalizeResponse(submission, { baseUrl, requestId: contextOf(req).requestId })
  if (isTerminal(submission.status)) return { status: 200 as const, body }

  res.setHeader('Location', `/api/submissions/${submission.id}`)
  res.setHeader('Retry-After', String(retryAfterSeconds))
  return { status: 202 as const, body }
}

/** RFC 7240, section 3: said where the answer shows it. */
function appliedPreference(
  { status }: AcceptedSubmission,
  { respondAsync, waitMs }: WaitPreference,
  syncDeadlineMs: number,
): string | null {
  if (respondAsync) return isTerminal(status) ? null : 'respond-async'
  const waited = waitMs !== null && waitMs <= syncDeadlineMs && status !== 'PENDING'
  return waited ? `wait=${waitMs / 1000}` : null
}
