import { attestations } from '@pdfnorm/contracts/endpoint/attestations'
import { reports } from '@pdfnorm/contracts/endpoint/reports'
import { submissions } from '@pdfnorm/contracts/endpoint/submissions'
import { Attestation } from '@pdfnorm/contracts/schema/attestation'
import { IsoDateTime, Sha256Param, Uuid } from '@pdfnorm/contracts/schema/identifier'
import { PdfaPolicy, SignedPdfPolicy } from '@pdfnorm/contracts/schema/normalize-request'
import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { PageQuery } from '@pdfnorm/contracts/schema/page'
import { Region } from '@pdfnorm/contracts/schema/region'
import { Report } from '@pdfnorm/contracts/schema/report'
import { Submission, SubmissionStatus } from '@pdfnorm/contracts/schema/submission'
import { z } from 'zod'
import { currentActivity } from '../activity.ts'
import { findAttestation } from '../attestation/find-attestation.ts'
import { findReport } from '../report/find-report.ts'
import { findStage } from '../submission/find-stage.ts'
import { findSubmissionDetails } from '../submission/find-submission-details.ts'
import { submissionRecord } from '../submission/find-submission.ts'
import { listSubmissions } from '../submission/list-submissions.ts'
import { normalizeResponse } from '../submission/normalize-response.ts'
import { accepted, readingTwinOf, router } from './rpc.ts'

const Hash = z.object({ hash: Sha256Param })

/** What the contract lets a key read of submissions and their outputs, for members. */
export const submissionsRpc = router({
  list: readingTwinOf(submissions.listEvents)
    .input(PageQuery.extend({ status: SubmissionStatus.optional() }))
    .output(z.object({ submissions: z.array(Submission), total: z.int().nonnegative() }))
    .query(async ({ ctx, input }) => {
      const { platform, caller } = ctx
      const { status = null, ...page } = input
      const listed = await listSubmissions(platform, caller.organization, status, page)
      const { baseUrl } = platform.config
      return {
        submissions: listed.submissions.map((submission) => submissionRecord(submission, baseUrl)),
        total: listed.total,
      }
    }),

  get: readingTwinOf(submissions.getSubmission)
    .input(z.object({ submissionId: Uuid }))
    .output(
      NormalizeResponse.extend({
        createdAt: IsoDateTime,
        /** When it ended, however it did. */
        completedAt: IsoDateTime.nullable(),
        region: Region,
        batchId: Uuid.nullable(),
        options: z.object({
          linearize: z.boolean(),
          removeAnnotations: z.boolean(),
          signedPdfPolicy: SignedPdfPolicy,
          pdfaPolicy: PdfaPolicy,
        }),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { platform, caller } = ctx
      const found = accepted(
        await findSubmissionDetails(platform, caller.organization, input.submissionId),
      )
      const at = {
        baseUrl: platform.config.baseUrl,
        requestId: currentActivity().requestId ?? '',
      }
      return {
        ...normalizeResponse(found, at),
        createdAt: found.createdAt.toISOString(),
        completedAt: found.completedAt?.toISOString() ?? null,
        region: found.region,
        batchId: found.batchId ?? null,
        options: found.options,
      }
    }),

  /** Of a document that is being normalized, by the hash of its original; null when nobody here knows. */
  stage: readingTwinOf(submissions.getSubmission)
    .input(Hash)
    .output(z.object({ stage: z.int().nullable() }))
    .query(async ({ ctx, input }) => ({
      stage: await findStage(ctx.platform, ctx.caller.organization, input.hash),
    })),

  report: readingTwinOf(reports.getReport)
    .input(Hash)
    .output(Report)
    .query(async ({ ctx, input }) =>
      accepted(await findReport(ctx.platform, ctx.caller, input.hash)),
    ),

  certificate: readingTwinOf(attestations.getCertificate)
    .input(Hash)
    .output(z.object({ certificate: z.string(), attestation: Attestation }))
    .query(async ({ ctx, input }) => {
      const { certificate, document } = accepted(
        await findAttestation(ctx.platform, ctx.caller, input.hash),
      )
      return { certificate, attestation: document }
    }),
})
