import { z } from 'zod'
import { ApiVersion } from './api-version.ts'
import { FailureInfo } from './failure.ts'
import { Sha256Hex, Uuid } from './identifier.ts'
import { SecurityInfo } from './security-findings.ts'
import { SubmissionStatus } from './submission.ts'
import { TamperAnalysis } from './tamper-analysis.ts'
import { ValidationInfo } from './validation-findings.ts'
import { WarningInfo } from './warning.ts'

export const OriginalInfo = z
  .object({ sha256: Sha256Hex, sizeBytes: z.int().nonnegative() })
  .meta({ id: 'OriginalInfo', description: 'The file as it was uploaded.' })
export type OriginalInfo = z.infer<typeof OriginalInfo>

export const NormalizedInfo = z
  .object({
    sha256: Sha256Hex,
    sizeBytes: z.int().nonnegative(),
    pdfVersion: z.string().meta({ examples: ['1.7', '2.0'] }),
    linearized: z.boolean(),
    contentHash: Sha256Hex.nullable().meta({
      description: 'SHA-256 of the extracted text; null for a document without text.',
    }),
    downloadUrl: z.url().meta({ description: 'Needs an API key with the scope read.' }),
  })
  .meta({ id: 'NormalizedInfo', description: 'The file that the pipeline wrote.' })
export type NormalizedInfo = z.infer<typeof NormalizedInfo>

/** `{}`: what `security` and `validation` are while a submission is pending. */
export const PendingFindings = z.strictObject({}).meta({
  id: 'PendingFindings',
  description: 'Empty: the pipeline has not reported yet.',
  maxProperties: 0,
})
export type PendingFindings = z.infer<typeof PendingFindings>

/** Interface, section 2.1. */
export const NormalizeResponse = z
  .object({
    apiVersion: ApiVersion,
    requestId: z.string(),
    submissionId: Uuid,
    processingTimeMs: z.int().nonnegative().meta({ description: '0 while pending.' }),
    status: SubmissionStatus,
    original: OriginalInfo,
    normalized: NormalizedInfo.nullable().meta({ description: 'null until SUCCESS.' }),
    security: z.union([SecurityInfo, PendingFindings]),
    validation: z.union([ValidationInfo, PendingFindings]),
    tamperAnalysis: TamperAnalysis.nullable(),
    warnings: z.array(WarningInfo),
    failure: FailureInfo.nullable().meta({ description: 'null unless FAILED or REJECTED.' }),
  })
  .meta({ id: 'NormalizeResponse', description: 'One submission with all that was found.' })
export type NormalizeResponse = z.infer<typeof NormalizeResponse>

/** The shape of every submission that has not ended (interface, section 2.1; decision 4.3). */
export function pendingResponse(
  facts: Pick<NormalizeResponse, 'apiVersion' | 'requestId' | 'submissionId' | 'original'> & {
    status: 'PENDING' | 'IN_PROGRESS'
  },
): NormalizeResponse {
  return {
    apiVersion: facts.apiVersion,
    requestId: facts.requestId,
    submissionId: facts.submissionId,
    processingTimeMs: 0,
    status: facts.status,
    original: facts.original,
    normalized: null,
    security: {},
    validation: {},
    tamperAnalysis: null,
    warnings: [],
    failure: null,
  }
}
