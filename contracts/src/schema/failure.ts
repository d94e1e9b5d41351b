import { z } from 'zod'
import { PipelineStageName } from './pipeline-stage.ts'

/** Codes of a submission that a policy refused (status REJECTED). */
export const rejectionCodes = [
  'POLICY_REJECTION',
  'ENCRYPTED_PDF',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_PDF_VERSION',
] as const

/** Codes of a submission that could not be normalized (status FAILED). */
export const failureCodes = ['MALFORMED_PDF', 'RESOURCE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'] as const

export const FailureCode = z.enum([...rejectionCodes, ...failureCodes]).meta({
  id: 'FailureCode',
  description:
    'Why a submission was rejected or failed. The first four are policies. New codes may be added.',
  extensible: true,
})
export type FailureCode = z.infer<typeof FailureCode>

export const FailureInfo = z
  .object({
    code: FailureCode,
    message: z.string(),
    stage: PipelineStageName.nullable().meta({ description: 'The stage that ended the pipeline.' }),
  })
  .meta({ id: 'FailureInfo', description: 'Why a submission was rejected or failed.' })
export type FailureInfo = z.infer<typeof FailureInfo>
